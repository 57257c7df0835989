import { parseExactly } from '../../../json/exact-json.js';
import type { ChatCompletion, CompletionUsage, FinishReason, UsageSoFar } from '../../contract/chat.types.js';
import { noteHostedCalls, noteServed, SingleChoiceReader } from '../../contract/chunk.reader.js';
import {
  countOf,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  textOf,
  textsIn,
} from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { unreadable, withUsage } from '../../contract/upstream.error.js';
import { urlCitation } from '../shared/citations.js';
import { claudeAnswerTool, signedThought, type Thought, withThoughts } from '../shared/claude.js';
import { eventData } from '../shared/event-data.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { reportedFailure } from './failure.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (body.type === 'error') throw reportedFailure(body, call);
  if (!Array.isArray(body.content)) throw withUsage(unreadable('The answer has no content.'), toUsage(body.usage));
  return wholeAnswer(call, AnthropicChunkReader, (reader) => reader.readWhole(body));
}

/** A content block that has started but not ended. */
type OpenBlock =
  | { type: 'text'; start: number; citations: unknown[] }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; index: number; input: unknown; written: boolean }
  /** A call of the answer tool, whose input is the content. */
  | { type: 'answer'; input: unknown; written: boolean };

/** `web_search_tool_result`, also in code that the API runs. */
const SERVER_RESULT = /^(\w+)_tool_result$/;

const OWN_EVENT = /^(?:|message|error|message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;
const isOwn = (event: string) => OWN_EVENT.test(event);

/**
 * Reads one message, whose content blocks arrive one after the other. Blocks of server tools and of unknown types are
 * skipped. Tool calls are counted separately from blocks.
 */
export class AnthropicChunkReader extends SingleChoiceReader {
  private readonly blocks = new Map<unknown, OpenBlock>();
  private counts: JsonObject = {};
  /** Whether the model itself calls a tool. The API has answered the calls of its code, unless it ends with `tool_use`. */
  private callsDirectly = false;
  /** Signed reasoning that no tool call carries yet. */
  private thoughts: Thought[] = [];
  /** The usage of the prompt so far, which is not emitted for a truncated stream, as it has no output. */
  private ofPrompt: UsageSoFar | undefined;
  /** How often the model has read the prompt: at the start, and after results of server tools. */
  private readings = 1;
  private hasResult = false;
  /** Calls of server tools, and their results. */
  private readonly serverCalls = new Map<string, number>();
  private readonly serverResults = new Map<string, number>();
  /** The name of the answer tool, if there is one. */
  private readonly answer = claudeAnswerTool(this.call)?.name;
  private answered = false;
  /** Text before the answer tool's call. It is the answer if the tool is not called. */
  private pendingText = '';
  /** What is no part of the answer. */
  private skipped = '';

  read(event: UpstreamEvent): boolean {
    const parse = event.event === 'content_block_start' ? parseExactly : JSON.parse;
    const body = eventData(event, isOwn, parse);
    if (body === undefined) return false;
    switch (body.type) {
      case 'content_block_delta':
        if (isObject(body.delta)) this.readDelta(body.delta, this.blocks.get(body.index));
        return false;
      case 'content_block_start':
        if (isObject(body.content_block)) this.openBlock(body.index, body.content_block);
        return false;
      case 'content_block_stop':
        this.closeBlock(body.index);
        return false;
      case 'message_start':
        if (isObject(body.message)) this.beginMessage(body.message);
        this.ofPrompt = promptReport(this.counts, this.readings);
        if (!this.choice.started) this.emitDelta({ content: '' });
        return false;
      case 'message_delta':
        this.readMessageDelta(body);
        return false;
      case 'message_stop':
        return true;
      case 'error':
        throw reportedFailure(body, this.call);
      default:
        return false;
    }
  }

  private beginMessage(message: JsonObject): void {
    this.counts = mergedCounts(this.counts, message.usage);
    noteHostedCalls(this.call, []);
    noteServed(this.call, { model: message.model, service_tier: servedTier(this.counts) });
  }

  /** Reads a whole message. */
  readWhole(message: JsonObject): void {
    this.beginMessage(message);
    objectsOf(message.content).forEach((block, index) => {
      this.openBlock(index, block);
      this.closeBlock(index);
    });
    this.finish(message);
    this.usage = toUsage(message.usage);
  }

  override usageSoFar(): UsageSoFar | undefined {
    return this.usage ?? this.ofPrompt;
  }

  override unread(): string {
    const isSent = this.choice.finished && !this.answered;
    return isSent ? this.skipped : this.pendingText + this.skipped;
  }

  private openBlock(index: unknown, block: JsonObject): void {
    this.countReadings(block);
    if (block.type === 'text') {
      this.blocks.set(index, { type: 'text', start: this.position, citations: [...listOf(block.citations)] });
      this.sendText(block.text);
    } else if (block.type === 'tool_use' && this.answer !== undefined && block.name === this.answer) {
      if (!this.answered) this.blocks.set(index, { type: 'answer', input: block.input, written: false });
      this.answered = true;
    } else if (block.type === 'tool_use') {
      this.openToolCall(index, block);
    } else if (block.type === 'redacted_thinking') {
      this.thoughts.push(...signedThought(block));
    } else if (block.type === 'thinking') {
      const thinking = this.emitReasoning(block.thinking);
      this.blocks.set(index, { type: 'thinking', thinking, signature: textOf(block.signature) ?? '' });
    } else {
      this.noteServerTool(block);
    }
  }

  private noteServerTool({ type, name }: JsonObject): void {
    if (type === 'server_tool_use' && typeof name === 'string') noteHostedCalls(this.call, [name], this.serverCalls);
    const [, tool] = SERVER_RESULT.exec(String(type)) ?? [];
    if (tool !== undefined) noteHostedCalls(this.call, [tool], this.serverResults);
  }

  /** Results that arrive together are read together; those of code's own calls are read by the code. */
  private countReadings({ type, caller }: JsonObject): void {
    const { type: calledBy = 'direct' } = objectOf(caller);
    if (calledBy !== 'direct') return;
    const isResult = SERVER_RESULT.test(String(type));
    if (isResult && !this.hasResult) {
      this.readings++;
      this.ofPrompt = promptReport(this.counts, this.readings);
    }
    this.hasResult = isResult;
  }

  private openToolCall(blockIndex: unknown, { id, name, input, caller }: JsonObject): void {
    const { type = 'direct' } = objectOf(caller);
    this.callsDirectly ||= type === 'direct';
    const index = this.beginCall(id, textOf(name) ?? '', withThoughts(this.thoughts));
    this.blocks.set(blockIndex, { type: 'tool_use', index, input, written: false });
    this.thoughts = [];
  }

  private readDelta(delta: JsonObject, block: OpenBlock | undefined): void {
    if (delta.type === 'text_delta') {
      this.sendText(delta.text);
    } else if (delta.type === 'thinking_delta') {
      const thinking = this.emitReasoning(delta.thinking);
      if (block?.type === 'thinking') block.thinking += thinking;
    } else if (delta.type === 'input_json_delta' && (block?.type === 'tool_use' || block?.type === 'answer')) {
      const written = textOf(delta.partial_json);
      if (written === undefined) return;
      block.written ||= block.type === 'tool_use' || written !== '';
      this.emitInput(block, written);
    } else if (delta.type === 'signature_delta' && block?.type === 'thinking') {
      block.signature += textOf(delta.signature) ?? '';
    } else if (delta.type === 'citations_delta' && block?.type === 'text') {
      block.citations.push(delta.citation);
    } else {
      this.skipped += textsIn(delta);
    }
  }

  /** If a tool call streamed no arguments, they are in its start event. */
  private closeBlock(index: unknown): void {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    if ((block?.type === 'tool_use' || block?.type === 'answer') && !block.written) {
      this.emitInput(block, JSON.stringify(block.input ?? {}));
    } else if (block?.type === 'thinking') {
      this.thoughts.push(...signedThought({ ...block }));
    } else if (block?.type === 'text') {
      this.annotations.push(...toAnnotations(block.citations, block.start, this.position));
    }
  }

  private readMessageDelta({ delta, usage }: JsonObject): void {
    if (isObject(usage)) {
      this.counts = mergedCounts(this.counts, usage);
      this.usage = toUsage(this.counts);
      noteServed(this.call, { service_tier: servedTier(this.counts) });
    }
    if (!isObject(delta) || typeof delta.stop_reason !== 'string' || this.choice.finished) return;
    this.finish(delta);
  }

  private finish({ stop_reason: reason, stop_details: details }: JsonObject): void {
    for (const index of [...this.blocks.keys()]) this.closeBlock(index);
    if (!this.answered && this.pendingText !== '') this.emitText(this.pendingText);
    const refusal = refusalText(details);
    const isWaiting = reason === 'tool_use' ? this.toolCalls > 0 : this.callsDirectly;
    this.emitFinish(toFinishReason(reason, isWaiting), refusal === null ? {} : { refusal });
  }

  private sendText(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    if (this.answer === undefined) this.emitText(text);
    else this.pendingText += text;
  }

  /** In the content, to which held text will belong. */
  private get position(): number {
    return this.textLength + this.pendingText.length;
  }

  private emitInput(block: Extract<OpenBlock, { written: boolean }>, text: string): void {
    if (block.type === 'tool_use') this.emitArguments(block.index, text);
    else if (text !== '') this.emitText(text);
  }
}

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);

/**
 * `stop_reason` → `finish_reason`. All other reasons, such as `end_turn` and `tool_use`, are `tool_calls` if the answer
 * calls tools of the client, and `stop` if not.
 */
function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason {
  return FINISH_REASONS.get(reason) ?? (hasToolCalls ? 'tool_calls' : 'stop');
}

function refusalText(details: unknown): string | null {
  return isObject(details) ? (textOf(details.explanation) ?? null) : null;
}

/**
 * A stream reports cumulative counts in several events: a reported count replaces the earlier one, and an invalid count
 * discards it. Objects are merged.
 */
function mergedCounts(earlier: JsonObject, later: unknown): JsonObject {
  const merged = { ...earlier };
  for (const [name, count] of Object.entries(objectOf(later))) {
    if (isObject(count)) merged[name] = mergedCounts(objectOf(earlier[name]), count);
    else if (count !== undefined && count !== null) merged[name] = count;
  }
  return merged;
}

/** Entries of `iterations` that the totals include. */
const IN_TOTALS: ReadonlySet<unknown> = new Set(['message', 'fallback_message']);
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** "A `compaction` entry's tokens are not included in the top-level `usage` fields" (Anthropic's API reference). */
function withOtherIterations(totals: JsonObject): JsonObject {
  const others = objectsOf(totals.iterations).filter(({ type }) => !IN_TOTALS.has(type));
  if (others.length === 0) return totals;
  const sums: JsonObject = { ...totals };
  for (const name of COUNTS) {
    sums[name] = others.reduce((sum, entry) => sum + (countOf(entry[name]) ?? 0), countOf(totals[name]) ?? 0);
  }
  const hourly = [totals, ...others].map(({ cache_creation: by }) => countOf(objectOf(by).ephemeral_1h_input_tokens));
  return {
    ...sums,
    cache_creation: { ephemeral_1h_input_tokens: hourly.reduce<number>((sum, one) => sum + (one ?? 0), 0) },
  };
}

/** Undefined until output is counted. */
export function toUsage(reported: unknown): CompletionUsage | undefined {
  if (countOf(objectOf(reported).output_tokens) === undefined) return undefined;
  const counts = withOtherIterations(objectOf(reported));
  const { output_tokens, output_tokens_details: details, server_tool_use } = counts;
  const completion = countOf(output_tokens);
  if (completion === undefined) return undefined;
  const { prompt_tokens, prompt_tokens_details } = promptUsage(counts);
  const thinking = countOf(objectOf(details).thinking_tokens);
  const searches = countOf(objectOf(server_tool_use).web_search_requests);
  return {
    prompt_tokens,
    completion_tokens: completion,
    total_tokens: prompt_tokens + completion,
    prompt_tokens_details,
    ...(thinking !== undefined && { completion_tokens_details: { reasoning_tokens: thinking } }),
    ...(searches && { server_tool_use: { web_search_requests: searches } }),
  };
}

/** Prompt usage before output is counted. The API's input count excludes cache reads and writes. */
function promptUsage(counts: JsonObject): UsageSoFar {
  const cached = countOf(counts.cache_read_input_tokens) ?? 0;
  const written = countOf(counts.cache_creation_input_tokens) ?? 0;
  const writtenForAnHour = countOf(objectOf(counts.cache_creation).ephemeral_1h_input_tokens);
  return {
    prompt_tokens: (countOf(counts.input_tokens) ?? 0) + written + cached,
    prompt_tokens_details: {
      cached_tokens: cached,
      cache_write_tokens: written,
      ...((writtenForAnHour || (written > 0 && writtenForAnHour === 0)) && { cache_write_1h_tokens: writtenForAnHour }),
    },
  };
}

/**
 * "The cumulative number of input tokens" (Anthropic's SDK): each reading counts the whole prompt, and finds in the cache
 * what the first one has written there. Undefined without a count. Servers that count at the end write 0, which no prompt
 * has.
 */
function promptReport(counts: JsonObject, readings: number): UsageSoFar | undefined {
  const { prompt_tokens: once, prompt_tokens_details: details } = promptUsage(counts);
  if (once === 0) return undefined;
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = details ?? {};
  return {
    prompt_tokens: once * readings,
    readings,
    prompt_tokens_details: { ...details, cached_tokens: cached * readings + written * (readings - 1) },
  };
}

/** Fast mode counts as a tier. */
function servedTier({ speed, service_tier: tier }: JsonObject): unknown {
  return speed === 'fast' ? speed : tier;
}

/**
 * Citations of one text block as OpenAI annotations, except citations of documents, which have no URL. `start` and
 * `end`: the block's position in the answer's content.
 */
function toAnnotations(citations: unknown, start: number, end: number): JsonObject[] {
  return objectsOf(citations).flatMap(({ url = null, source, title }) => {
    const address = url ?? source;
    if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return [];
    return [urlCitation(address, typeof title === 'string' ? title : address, start, end)];
  });
}
