import type { ChatCompletion, CompletionUsage, FinishReason } from '../../contract/chat.types.js';
import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { unreadable, withUsage } from '../../contract/upstream.error.js';
import { urlCitation } from '../shared/citations.js';
import { eventData } from '../shared/event-data.js';
import { toolCallLimit } from '../shared/request-fields.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { reportedFailure } from './failure.js';
import { withThoughts } from './messages.js';
import { argumentsText, StreamedArguments, toolNames } from './tools.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (isFailure(body.finish_reason)) throw withUsage(reportedFailure(body, call), toUsage(body.usage));
  const { message, logprobs } = body;
  if (!isObject(message)) throw withUsage(unreadable('The answer has no message.'), toUsage(body.usage));
  const read = (reader: CohereChunkReader) => reader.readWhole(body, message);
  return wholeAnswer(call, CohereChunkReader, read, toLogprobs(logprobs));
}

const OWN_EVENT =
  /^(?:|message|message-(?:start|end)|content-(?:start|delta|end)|tool-plan-delta|tool-call-(?:start|delta|end)|citation-(?:start|end))$/;

/**
 * Reads the stream of one call. The API counts content blocks, tool calls and citations separately. The first chunk
 * waits for the first text or call, so that earlier failures can be retried.
 */
export class CohereChunkReader extends SingleChoiceReader {
  private readonly names = toolNames(this.call.request);
  private readonly calls = new Map<unknown, StreamedArguments>();
  private readonly offsets = new Map<unknown, number>();
  private readonly citations: unknown[] = [];
  private thinking = '';
  private toolPlan = '';
  /** Arguments of calls that are not passed on. */
  private skipped = '';

  read(event: UpstreamEvent): boolean {
    const body = eventData(event, (name) => OWN_EVENT.test(name));
    if (body === undefined) return false;
    const delta = objectOf(body.delta);
    if (body.type === 'message-end') {
      if (isFailure(delta.finish_reason) || textOf(delta.error) !== undefined) {
        throw withUsage(reportedFailure(delta, this.call), toUsage(delta.usage));
      }
      this.usage = toUsage(delta.usage);
      if (typeof delta.finish_reason === 'string') this.finish(delta.finish_reason);
      return true;
    }
    const message = objectOf(delta.message);
    if (body.type === 'content-delta') this.readContent(message.content, body.logprobs);
    else this.readPart(body.type, body.index, message);
    return false;
  }

  override unread(): string {
    return this.skipped;
  }

  /** Reads a whole answer. */
  readWhole({ finish_reason, usage }: JsonObject, message: JsonObject): void {
    for (const [index, content] of listOf(message.content).entries()) {
      this.readPart('content-start', index, { content });
    }
    this.readPart('tool-plan-delta', undefined, message);
    for (const [index, called] of listOf(message.tool_calls).entries()) this.openCall(index, called);
    this.citations.push(...listOf(message.citations));
    this.finish(finish_reason);
    this.usage = toUsage(usage);
  }

  private readPart(type: unknown, index: unknown, message: JsonObject): void {
    switch (type) {
      case 'content-start':
        this.offsets.set(index, this.textLength);
        this.readContent(message.content);
        return;
      case 'tool-plan-delta':
        this.toolPlan += this.emitReasoning(message.tool_plan);
        return;
      case 'tool-call-start':
        this.openCall(index, message.tool_calls);
        return;
      case 'tool-call-delta':
        this.readArguments(this.calls.get(index), message.tool_calls);
        return;
      case 'tool-call-end':
        this.closeCall(index);
        return;
      case 'citation-start':
        this.citations.push(message.citations);
    }
  }

  private readContent(content: unknown, logprobs?: unknown): void {
    if (!isObject(content)) return;
    const text = textOf(content.text);
    if (text !== undefined) this.emitText(text, logprobs === undefined ? undefined : toLogprobs(logprobs));
    this.thinking += this.emitReasoning(content.thinking);
  }

  private openCall(callIndex: unknown, opened: unknown): void {
    if (!isObject(opened)) return;
    if (this.toolCalls >= toolCallLimit(this.call.request)) {
      this.readArguments(undefined, opened);
      return;
    }
    const name = textOf(objectOf(opened.function).name) ?? '';
    const carried = this.toolCalls === 0 ? withThoughts({ thinking: this.thinking, toolPlan: this.toolPlan }) : {};
    const index = this.beginCall(opened.id, this.names.toCaller(name), carried);
    const streamed = new StreamedArguments((text) => this.emitArguments(index, text));
    this.calls.set(callIndex, streamed);
    this.readArguments(streamed, opened);
  }

  private readArguments(call: StreamedArguments | undefined, delta: unknown): void {
    const { arguments: written } = objectOf(objectOf(delta).function);
    const text = isObject(written) ? argumentsText(written) : written;
    if (typeof text !== 'string') return;
    if (call) call.add(text);
    else this.skipped += text;
  }

  private closeCall(index: unknown): void {
    this.calls.get(index)?.end();
    this.calls.delete(index);
  }

  private finish(reason: unknown): void {
    for (const index of [...this.calls.keys()]) this.closeCall(index);
    this.annotations.push(...toAnnotations(this.citations, this.offsets));
    this.emitFinish(toFinishReason(reason, this.toolCalls > 0));
  }
}

/** Whether a response of status 200 reports a failure. */
function isFailure(reason: unknown): boolean {
  return typeof reason === 'string' && /^(?:ERROR|TIMEOUT)/.test(reason);
}

/** Unknown reasons are `stop`, or `tool_calls` for an answer with tool calls that was not cut. */
function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  return hasToolCalls ? 'tool_calls' : 'stop';
}

/**
 * Undefined if no usage is reported.
 *
 * The API has two counts: Cohere charges `billed_units`; `tokens` are all tokens that the model read and wrote,
 * including a hidden template. Usage has the billed units. In the details, `context_tokens` is the whole prompt and
 * `cached_context_tokens` its cached part. This is not `cached_tokens`: it includes the template, often exceeds the
 * billed prompt, and does not reduce the price.
 */
export function toUsage(usage: unknown): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const { billed_units: billed, tokens, cached_tokens } = usage;
  const context = promptTokens(tokens);
  const cached = countOf(cached_tokens);
  const reasoning = countOf(objectOf(tokens).reasoning_tokens);
  if (isCounted(billed)) {
    return usageOf(countOf(billed.input_tokens), countOf(billed.output_tokens), reasoning, {
      ...(context !== undefined && { context_tokens: context }),
      ...(cached !== undefined && { cached_context_tokens: cached }),
    });
  }
  if (!isCounted(tokens)) return undefined;
  return usageOf(
    context,
    countOf(tokens.output_tokens),
    reasoning,
    cached === undefined ? {} : { cached_tokens: cached },
  );
}

function usageOf(prompt = 0, completion = 0, reasoning: number | undefined, details: JsonObject): CompletionUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(Object.keys(details).length > 0 && { prompt_tokens_details: details }),
    ...(reasoning !== undefined && {
      completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
    }),
  };
}

function isCounted(counts: unknown): counts is JsonObject {
  return isObject(counts) && (countOf(counts.input_tokens) ?? countOf(counts.output_tokens)) !== undefined;
}

/** Images are counted separately from text. */
function promptTokens(tokens: unknown): number | undefined {
  if (!isCounted(tokens)) return undefined;
  return (countOf(tokens.input_tokens) ?? 0) + (countOf(tokens.image_tokens) ?? 0);
}

/** The position of each text block in the answer's content, by block index. */
export type TextOffsets = ReadonlyMap<unknown, number>;

/** Drops sources without a URL, which OpenAI's annotations need, and citations within a plan or reasoning. */
function toAnnotations(citations: readonly unknown[], offsets: TextOffsets): JsonObject[] {
  return citations.filter(isObject).flatMap(({ start, end, sources, type, content_index: block }) => {
    const from = countOf(start);
    const to = countOf(end);
    const isOfText = type === undefined || type === 'TEXT_CONTENT';
    if (!isOfText || from === undefined || to === undefined || !Array.isArray(sources)) return [];
    const offset = offsets.get(block) ?? 0;
    return sources.flatMap(addressOf).map(({ url, title }) => urlCitation(url, title, offset + from, offset + to));
  });
}

/** A document or a tool result may have the URL. */
function addressOf(source: unknown): { url: string; title: string }[] {
  if (!isObject(source)) return [];
  const content = objectOf(isObject(source.document) ? source.document : source.tool_output);
  const url = textOf(content.url);
  if (url === undefined || !/^https?:\/\//i.test(url)) return [];
  return [{ url, title: textOf(content.title) ?? url }];
}

/**
 * `LogprobItem`s of Cohere's SDK. An item covers a piece of text, usually one token. For several tokens it has the sum,
 * as their texts are not separated. There are no alternatives.
 */
function toLogprobs(items: unknown): JsonObject | undefined {
  const content = (Array.isArray(items) ? items : [items]).flatMap(tokenOf);
  return content.length > 0 ? { content, refusal: null } : undefined;
}

function tokenOf(item: unknown): JsonObject[] {
  if (!isObject(item) || typeof item.text !== 'string' || !Array.isArray(item.logprobs)) return [];
  const values = item.logprobs.filter((value) => typeof value === 'number');
  if (values.length === 0) return [];
  const logprob = values.reduce((sum, value) => sum + value, 0);
  return [{ token: item.text, logprob, bytes: [...Buffer.from(item.text)], top_logprobs: [] }];
}
