import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
  ToolCall,
} from '../../contract/chat.types.js';
import { chunkOf, completionOf, noteHostedCalls, noteServed, SingleChoiceReader } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, objectOf, objectsOf, textOf, textsIn } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { UpstreamError, unreadable, withUsage } from '../../contract/upstream.error.js';
import { type FailureReading, reportedFailure } from '../openai/failure.js';
import { toUsage as chatUsage, copyEnvelope, textLogprobs } from '../openai/response.js';
import { urlCitation } from '../shared/citations.js';
import { eventData } from '../shared/event-data.js';
import { mintedId } from '../shared/tool-calls.js';
import { carriedReasoning, returnableReasoning, thoughtsOf } from './messages.js';
import { CALLS, type ItemType, isItemType, type OutputItem, OutputItems } from './output-items.js';

export function toCompletion(body: unknown, call: ProviderCall, failures: FailureReading): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (!Array.isArray(body.output)) {
    const failure = body.error ? reportedFailure(body, call, failures) : unreadable('The answer has no output.');
    throw withUsage(failure, toUsage(body));
  }
  const output = body.output.filter(isObject);
  const calls = toolCalls(output, call);
  const finish = toFinishReason(body, calls.length > 0, call, failures);
  const parts = output.filter(({ type }) => type === 'message').flatMap(({ content }) => objectsOf(content));
  const { content, refusal, annotations, logprobs } = readParts(parts);
  const message: ChatResponseMessage = { role: 'assistant', content, refusal };
  const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? thoughtsOf(item) : []));
  if (thoughts.length > 0) message.reasoning_content = thoughts.join('\n\n');
  if (calls.length > 0) message.tool_calls = calls;
  if (annotations.length > 0) message.annotations = annotations;
  const choice = { index: 0, message, logprobs: textLogprobs(logprobs), finish_reason: finish };
  const completion = completionOf(call, [choice]);
  copyEnvelope(body, completion);
  noteServed(call, body);
  noteHostedCalls(call, hostedToolsOf(output));
  noteHostedCalls(call, reportedToolsOf(body));
  const usage = toUsage(body);
  if (usage) completion.usage = usage;
  return completion;
}

/** xAI's answers show the parts of its `x_search` as custom tools. */
const PARTS_OF_X_SEARCH = /^(?:x_\w+|view_x_\w+)$/;

/** The tools that the provider has called for these items: `web_search` for a `web_search_call`. */
function hostedToolsOf(items: readonly JsonObject[]): string[] {
  return items.flatMap(({ type, name }) => {
    if (type === 'custom_tool_call' && PARTS_OF_X_SEARCH.test(String(name))) return ['x_search'];
    const isHosted = typeof type === 'string' && type.endsWith('_call') && !CALLS.has(type);
    return isHosted ? [type.slice(0, -'_call'.length)] : [];
  });
}

const MOST_REPORTED = 10_000;

/** xAI counts the calls of each tool, also those that its answer does not show: `x_search_calls`. */
function reportedToolsOf({ usage }: JsonObject): string[] {
  const { server_side_tool_usage_details: details } = objectOf(usage);
  return Object.entries(objectOf(details)).flatMap(([name, count]) =>
    Array<string>(Math.min(countOf(count) ?? 0, MOST_REPORTED)).fill(name.replace(/_calls$/, '')),
  );
}

/** Text parts are joined without a separator, like the SDKs' `output_text`. */
function readParts(parts: readonly JsonObject[]) {
  let content: string | null = null;
  let refusal: string | null = null;
  const annotations: JsonObject[] = [];
  const logprobs: unknown[] = [];
  for (const part of parts) {
    if (part.type === 'refusal' && typeof part.refusal === 'string') refusal = (refusal ?? '') + part.refusal;
    if (part.type !== 'output_text' || typeof part.text !== 'string') continue;
    const offset = content?.length ?? 0;
    annotations.push(...objectsOf(part.annotations).flatMap((annotation) => toAnnotations(annotation, offset)));
    logprobs.push(...objectsOf(part.logprobs));
    content = (content ?? '') + part.text;
  }
  return { content, refusal, annotations, logprobs };
}

/** Each call carries the reasoning before it. */
function toolCalls(output: readonly JsonObject[], call: ProviderCall): ToolCall[] {
  const calls: ToolCall[] = [];
  let reasoning: JsonObject[] = [];
  for (const item of output) {
    if (item.type === 'reasoning') reasoning.push(...returnableReasoning(item));
    if (!CALLS.has(item.type)) continue;
    calls.push(toolCall(item, textOf(item.call_id) ?? mintedId(call, 0, calls.length), carriedReasoning(reasoning)));
    reasoning = [];
  }
  return calls;
}

function toolCall(item: JsonObject, id: string, carried: { extra_content?: JsonObject }): ToolCall {
  const name = textOf(item.name) ?? '';
  if (item.type === 'custom_tool_call') {
    return { id, type: 'custom', custom: { name, input: textOf(item.input) ?? '' }, ...carried };
  }
  return { id, type: 'function', function: { name, arguments: textOf(item.arguments) ?? '{}' }, ...carried };
}

/**
 * Reads the events of one response. What came in deltas is sent once; what only comes in a later, whole event (an
 * item's end, the response's end) is sent then, as some servers send no deltas.
 */
export class ResponsesChunkReader extends SingleChoiceReader {
  private readonly items = new OutputItems();
  /** Reasoning that the next call carries. */
  private reasoning: JsonObject[] = [];
  private thought = false;
  private readonly hostedBegun = new Map<string, number>();
  private readonly hostedEnded = new Map<string, number>();
  /** What is no part of the answer. */
  private skipped = '';

  constructor(
    call: ProviderCall,
    private readonly failures: FailureReading,
    emit: (chunk: ChatCompletionChunk) => void,
  ) {
    super(call, emit);
  }

  read(event: UpstreamEvent): boolean {
    const data = eventData(event, isOwn);
    if (!data) return false;
    switch (data.type) {
      case 'response.output_item.added':
        this.beginItem(data);
        return false;
      case 'response.output_item.done':
        this.endItem(data);
        return false;
      case 'response.content_part.done':
        if (MESSAGE_PARTS.has(objectOf(data.part).type)) {
          this.readPart(this.items.of(data, 'message'), objectOf(data.part), data.content_index);
        }
        return false;
      case 'response.output_text.delta':
        this.readText(this.items.of(data, 'message'), data.content_index, data.delta, data.logprobs);
        return false;
      case 'response.output_text.done':
        this.readPart(this.items.of(data, 'message'), { ...data, type: 'output_text' }, data.content_index);
        return false;
      case 'response.output_text.annotation.added':
        this.readAnnotations(this.items.of(data, 'message'), data.content_index, [data.annotation]);
        return false;
      case 'response.refusal.delta':
        this.readRefusal(this.items.of(data, 'message'), data.content_index, data.delta);
        return false;
      case 'response.refusal.done':
        this.readPart(this.items.of(data, 'message'), { ...data, type: 'refusal' }, data.content_index);
        return false;
      case 'response.reasoning_summary_part.added':
        if (this.thought) this.emitReasoning('\n\n');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.readThought(this.items.of(data, 'reasoning'), data.delta);
        return false;
      case 'response.function_call_arguments.delta':
        this.readInput(this.items.of(data, 'function_call'), data.delta);
        return false;
      case 'response.custom_tool_call_input.delta':
        this.readInput(this.items.of(data, 'custom_tool_call'), data.delta);
        return false;
      case 'response.function_call_arguments.done':
        this.readWholeInput(this.items.of(data, 'function_call'), data.arguments);
        return false;
      case 'response.custom_tool_call_input.done':
        this.readWholeInput(this.items.of(data, 'custom_tool_call'), data.input);
        return false;
      case 'error':
        throw reportedFailure(data, this.call, this.failures);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        this.finish(objectOf(data.response), data.type);
        return true;
      default:
        if (event.event === 'error') throw reportedFailure(data, this.call, this.failures);
        if (textOf(data.type)?.endsWith('delta')) this.skipped += textsIn(data.delta);
        return false;
    }
  }

  override unread(): string {
    return this.skipped;
  }

  private beginItem(event: JsonObject): void {
    const raw = objectOf(event.item);
    noteHostedCalls(this.call, hostedToolsOf([raw]), this.hostedBegun);
    const item = isItemType(raw.type) ? this.items.begin(event, raw.type) : undefined;
    if (item && CALLS.has(item.type)) this.beginToolCall(item, raw);
    // The model has started; errors of the whole request would have been reported earlier.
    else if (isObject(event.item) && !this.choice.started) this.emitDelta({});
  }

  private endItem(event: JsonObject): void {
    const raw = objectOf(event.item);
    noteHostedCalls(this.call, hostedToolsOf([raw]), this.hostedEnded);
    if (!isItemType(raw.type)) return;
    const item = this.items.of(event, raw.type);
    this.readItem(item, raw);
    item.isDone = true;
  }

  /** Sends what no earlier event had. */
  private readItem(item: OutputItem, raw: JsonObject): void {
    switch (item.type) {
      case 'message':
        for (const [index, part] of objectsOf(raw.content).entries()) this.readPart(item, part, index);
        return;
      case 'reasoning':
        if (item.sentAt('reasoning') === undefined) this.readWholeThought(item, thoughtsOf(raw).join('\n\n'));
        if (item.sentAt('encrypted') !== undefined) return;
        this.reasoning.push(...returnableReasoning(raw));
        item.markSent('encrypted');
        return;
      default:
        if (item.callIndex === undefined) this.beginToolCall(item, raw);
        this.readWholeInput(item, item.type === 'custom_tool_call' ? raw.input : wholeArguments(raw));
    }
  }

  private beginToolCall(item: OutputItem, raw: JsonObject): void {
    const id = textOf(raw.call_id) ?? mintedId(this.call, 0, this.toolCalls);
    const form = item.type === 'custom_tool_call' ? 'custom' : 'function';
    item.callIndex = this.beginCall(id, textOf(raw.name) ?? '', carriedReasoning(this.reasoning), form);
    this.reasoning = [];
  }

  private readWholeInput(item: OutputItem, input: unknown): void {
    if (item.sentAt('input') === undefined) this.readInput(item, input);
  }

  private readInput(item: OutputItem, input: unknown): void {
    const text = textOf(input);
    if (item.callIndex === undefined || text === undefined) return;
    item.markSent('input');
    this.emitArguments(item.callIndex, text, item.type === 'custom_tool_call' ? 'custom' : 'function');
  }

  /** A whole part of a message. */
  private readPart(item: OutputItem, part: JsonObject, index: unknown): void {
    if (part.type === 'refusal') {
      if (item.sentAt('refusal', index) === undefined) this.readRefusal(item, index, part.refusal);
    } else if (part.type === 'output_text') {
      if (item.sentAt('text', index) === undefined) this.readText(item, index, part.text, part.logprobs);
      const annotations = objectsOf(part.annotations);
      if (item.sentAt('annotations', index) === undefined) this.readAnnotations(item, index, annotations);
    }
  }

  private readText(item: OutputItem, index: unknown, content: unknown, logprobs: unknown): void {
    const text = textOf(content);
    if (text === undefined) return;
    item.markSent('text', index, this.textLength);
    this.emitText(text, textLogprobs(logprobs));
  }

  private readRefusal(item: OutputItem, index: unknown, text: unknown): void {
    const refusal = textOf(text);
    if (refusal === undefined) return;
    item.markSent('refusal', index);
    this.emitDelta({ refusal });
  }

  private readAnnotations(item: OutputItem, index: unknown, annotations: readonly unknown[]): void {
    if (annotations.length === 0) return;
    item.markSent('annotations', index);
    const offset = item.sentAt('text', index) ?? this.textLength;
    this.annotations.push(...annotations.flatMap((annotation) => toAnnotations(annotation, offset)));
  }

  private readThought(item: OutputItem, text: unknown): void {
    if (this.emitReasoning(text) === '') return;
    this.thought = true;
    item.markSent('reasoning');
  }

  private readWholeThought(item: OutputItem, text: string): void {
    if (text !== '') this.readThought(item, this.thought ? `\n\n${text}` : text);
  }

  private finish(response: JsonObject, event: string): void {
    const status = textOf(response.status) ?? event.slice('response.'.length);
    const output = objectsOf(response.output);
    const called = this.toolCalls > 0 || output.some(({ type }) => CALLS.has(type));
    const finish = toFinishReason({ ...response, status }, called, this.call, this.failures);
    this.readOutput(output);
    const delta: ChatDelta = this.annotations.length > 0 ? { annotations: this.annotations } : {};
    const chunk = chunkOf(this.call, [this.choice.next(delta, finish)]);
    copyEnvelope(response, chunk);
    noteServed(this.call, response);
    noteHostedCalls(this.call, hostedToolsOf(output));
    noteHostedCalls(this.call, reportedToolsOf(response));
    this.emit(chunk);
    this.usage = toUsage(response);
  }

  private readOutput(output: readonly JsonObject[]): void {
    const counts = new Map<ItemType, number>();
    for (const raw of output) {
      if (!isItemType(raw.type)) continue;
      const position = counts.get(raw.type) ?? 0;
      counts.set(raw.type, position + 1);
      this.readItem(this.items.ofResponse(raw, raw.type, position), raw);
    }
  }
}

const MESSAGE_PARTS: ReadonlySet<unknown> = new Set(['output_text', 'refusal']);

/** A call that was cut before its arguments has none. */
function wholeArguments({ arguments: text, status }: JsonObject): string {
  return textOf(text) ?? (status === 'incomplete' ? '' : '{}');
}

function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error' || event.startsWith('response.');
}

/** Throws if the response failed. */
function toFinishReason(
  response: JsonObject,
  called: boolean,
  call: ProviderCall,
  failures: FailureReading,
): FinishReason {
  const { status, error, incomplete_details: details } = response;
  if (isObject(error)) throw withUsage(reportedFailure(response, call, failures), toUsage(response));
  if (status === 'failed' || status === 'cancelled') {
    const message = `The upstream ended its answer as "${status}".`;
    throw withUsage(new UpstreamError({ status: 502, message }), toUsage(response));
  }
  const reason = status === 'incomplete' && isObject(details) ? details.reason : undefined;
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content_filter';
  return called ? 'tool_calls' : 'stop';
}

/** Undefined if no usage is reported. */
function toUsage({ usage, output }: JsonObject): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const shown = objectsOf(output).filter(({ type }) => type === 'web_search_call').length;
  const counted = countOf(objectOf(usage.server_side_tool_usage_details).web_search_calls) ?? 0;
  const searches = Math.max(shown, counted);
  return chatUsage({
    usage: {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: usage.input_tokens_details,
      completion_tokens_details: usage.output_tokens_details,
      ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
    },
  });
}

/** A web citation in chat's nested format; empty for other kinds. `offset`: the length of the text before the part. */
function toAnnotations(annotation: unknown, offset: number): JsonObject[] {
  if (!isObject(annotation) || annotation.type !== 'url_citation' || typeof annotation.url !== 'string') return [];
  const start = countOf(annotation.start_index);
  const end = countOf(annotation.end_index);
  if (start === undefined || end === undefined) return [];
  const { url, title } = annotation;
  return [urlCitation(url, typeof title === 'string' ? title : '', start + offset, end + offset)];
}
