import type { ChatCompletion, CompletionUsage, FinishReason } from '../../contract/chat.types.js';
import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { UpstreamError, unreadable, withUsage } from '../../contract/upstream.error.js';
import { urlCitation } from '../shared/citations.js';
import { signedThought, type Thought, withThoughts } from '../shared/claude.js';
import { eventData } from '../shared/event-data.js';
import { toolCallLimit } from '../shared/request-fields.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { isReport, reportedFailure } from './failure.js';
import { answerTool } from './schema.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  const answer = objectOf(body);
  const { message } = objectOf(answer.output);
  if (!isObject(message) || !Array.isArray(message.content)) {
    throw withUsage(unreadable('The answer has no message.'), toUsage(answer.usage));
  }
  return wholeAnswer(call, BedrockChunkReader, (reader) => reader.readWhole(answer, message.content));
}

/** The tool call of an open content block. */
interface OpenCall {
  readonly index: number;
  hasArguments: boolean;
}

const EVENTS = new Set(['contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata']);
const isOwn = (event: string) => EVENTS.has(event);

/**
 * Reads a ConverseStream. Nothing is emitted before the model's first output, so that earlier failures can be retried.
 * Usage follows the finish reason, in the last event.
 */
export class BedrockChunkReader extends SingleChoiceReader {
  /** Blocks arrive one after the other. */
  private open: OpenCall | undefined;
  /** The name of the answer tool, if there is one. */
  private readonly answer = answerTool(this.call)?.name;
  private answering = false;
  private answered = false;
  /** Text before the answer tool's call. It is the answer if the tool is not called. */
  private pendingText = '';
  /** Arguments of calls that are not passed on. */
  private skipped = '';
  private thought = { thinking: '', signature: '', data: '' };
  private blockStart = 0;
  private citations: unknown[] = [];
  /** Reasoning before the next tool call. */
  private thoughts: Thought[] = [];
  /** The answer's own failure, held until its usage has arrived. */
  private failure: UpstreamError | undefined;
  private readonly callLimit = clientsCallLimit(this.call);

  read(event: UpstreamEvent): boolean {
    if (isReport(event)) throw reportedFailure(event, this.call);
    const data = isOwn(event.event) ? eventData(event, isOwn) : undefined;
    if (!data) return false;
    switch (event.event) {
      case 'contentBlockStart':
        this.startBlock(objectOf(data.start));
        return false;
      case 'contentBlockDelta':
        if (isObject(data.delta)) this.readDelta(data.delta);
        return false;
      case 'contentBlockStop':
        this.endBlock();
        return false;
      case 'messageStop':
        this.finish(data.stopReason);
        return false;
      default:
        this.usage = toUsage(data.usage) ?? this.usage;
        return this.isFinished;
    }
  }

  override unread(): string {
    const isSent = this.choice.finished && !this.answered;
    return isSent ? this.skipped : this.pendingText + this.skipped;
  }

  protected override end(): void {
    if (this.failure) throw withUsage(this.failure, this.usage);
  }

  private get isFinished(): boolean {
    return this.choice.finished || this.failure !== undefined;
  }

  /** Reads a whole answer, whose blocks have the fields of the deltas in a stream. */
  readWhole({ stopReason, usage }: JsonObject, content: unknown): void {
    for (const block of objectsOf(content)) {
      this.startBlock(block);
      this.readBlock(block);
      this.endBlock();
    }
    this.finish(stopReason);
    this.usage = toUsage(usage);
  }

  private readBlock({ text, toolUse, reasoningContent: thought, citationsContent: cited }: JsonObject): void {
    this.readDelta({ text });
    if (isObject(toolUse)) this.readDelta({ toolUse: { input: JSON.stringify(toolUse.input ?? {}) } });
    if (isObject(thought)) this.readThought({ ...objectOf(thought.reasoningText), ...thought });
    const { content, citations } = objectOf(cited);
    for (const message of objectsOf(content)) this.readDelta({ text: message.text });
    this.citations.push(...objectsOf(citations));
  }

  private startBlock({ toolUse }: JsonObject): void {
    this.open = undefined;
    if (!isObject(toolUse) || !isClientsTool(toolUse)) return;
    if (this.answer !== undefined && toolUse.name === this.answer) {
      this.answering = !this.answered;
      this.answered = true;
      return;
    }
    if (this.toolCalls >= this.callLimit) return;
    const { toolUseId, name } = toolUse;
    this.open = {
      index: this.beginCall(toolUseId, textOf(name) ?? '', withThoughts(this.thoughts)),
      hasArguments: false,
    };
    this.thoughts = [];
  }

  private readDelta({ text, toolUse, reasoningContent, citation }: JsonObject): void {
    if (typeof text === 'string' && text !== '') {
      if (this.answer === undefined) this.emitText(text);
      else this.pendingText += text;
    }
    if (isObject(toolUse)) {
      const piece = textOf(toolUse.input);
      if (piece !== undefined && this.answering) this.emitText(piece);
      if (piece !== undefined && !this.open && !this.answering) this.skipped += piece;
      if (piece === undefined || !this.open) return;
      this.open.hasArguments = true;
      this.emitArguments(this.open.index, piece);
    }
    if (isObject(reasoningContent)) this.readThought(reasoningContent);
    if (citation !== undefined) this.citations.push(citation);
  }

  private readThought({ text, signature, redactedContent }: JsonObject): void {
    this.thought.thinking += this.emitReasoning(text);
    this.thought.signature += textOf(signature) ?? '';
    this.thought.data += textOf(redactedContent) ?? '';
  }

  private endBlock(): void {
    if (this.open && !this.open.hasArguments) this.emitArguments(this.open.index, '{}');
    this.open = undefined;
    this.answering = false;

    this.thoughts.push(...signedThought({ type: 'thinking', ...this.thought }));
    this.thoughts.push(...signedThought({ type: 'redacted_thinking', ...this.thought }));
    this.thought = { thinking: '', signature: '', data: '' };

    for (const citation of this.citations) {
      this.annotations.push(...toAnnotations(citation, this.blockStart, this.position));
    }
    this.citations = [];
    this.blockStart = this.position;
  }

  /** In the content, to which held text will belong. */
  private get position(): number {
    return this.textLength + this.pendingText.length;
  }

  private finish(stopReason: unknown): void {
    if (this.isFinished) return;
    this.failure = malformedAnswer(stopReason);
    if (this.failure) return;
    const reason = toFinishReason(stopReason, this.toolCalls > 0);
    if (!this.answered && this.pendingText !== '') this.emitText(this.pendingText);
    this.emitFinish(reason);
  }
}

/** The number of tool calls to pass on, as requests cannot limit them. */
function clientsCallLimit({ request }: ProviderCall): number {
  return request.tool_choice === 'none' ? 0 : toolCallLimit(request);
}

/** Whether the client runs a tool, and not the upstream. */
function isClientsTool({ type }: JsonObject): boolean {
  return type !== 'server_tool_use';
}

const FINISH_REASONS = new Map<unknown, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  // Of Claude, in its own word.
  ['refusal', 'content_filter'],
]);

const MALFORMED = new Set<unknown>(['malformed_model_output', 'malformed_tool_use']);

/**
 * `stopReason` → `finish_reason`. All other reasons, such as `end_turn` and `tool_use`, are `tool_calls` if the answer
 * calls tools of the client, and `stop` if not: `tool_use` may also mean tools of the API itself.
 */
function toFinishReason(stopReason: unknown, hasToolCalls: boolean): FinishReason {
  return FINISH_REASONS.get(stopReason) ?? (hasToolCalls ? 'tool_calls' : 'stop');
}

/** Set if the model's output was invalid. */
function malformedAnswer(stopReason: unknown): UpstreamError | undefined {
  if (!MALFORMED.has(stopReason)) return undefined;
  const message = `The upstream ended its answer with "${stopReason}".`;
  return new UpstreamError({ status: 502, message, answerRefused: true });
}

/**
 * Converse's `inputTokens` exclude cache reads and writes, each of which has two possible names. Undefined if there is
 * no usage.
 */
function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const input = countOf(usage.inputTokens);
  const output = countOf(usage.outputTokens);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount);
  const cacheWrite = countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount);
  const writtenForAnHour = countForAnHour(usage.cacheDetails);
  const isSplit = Array.isArray(usage.cacheDetails);
  const prompt = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    ...((cacheRead !== undefined || cacheWrite) && {
      prompt_tokens_details: {
        cached_tokens: cacheRead ?? 0,
        ...(cacheWrite && { cache_write_tokens: cacheWrite }),
        ...(cacheWrite && isSplit && { cache_write_1h_tokens: writtenForAnHour }),
      },
    }),
  };
}

/** `cacheDetails` splits written tokens by lifetime: `5m` or `1h`. */
function countForAnHour(details: unknown): number {
  const stored = objectsOf(details).filter(({ ttl }) => ttl === '1h');
  return stored.reduce((sum, { inputTokens }) => sum + (countOf(inputTokens) ?? 0), 0);
}

/** A web citation as an annotation from `start` to `end`; empty for other sources. */
function toAnnotations(citation: unknown, start: number, end: number): JsonObject[] {
  const { location, title } = objectOf(citation);
  const { url, domain } = objectOf(objectOf(location).web);
  const address = textOf(url);
  return address === undefined ? [] : [urlCitation(address, textOf(title) ?? textOf(domain) ?? address, start, end)];
}
