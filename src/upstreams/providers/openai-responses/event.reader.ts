import type { ChatChunkChoice, ChatCompletionChunk, ChatDelta, ToolCallDelta } from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import type { ChunkReader } from '../chunk-stream.js';
import { eventData } from '../event-data.js';
import { copyEnvelope } from '../openai/envelope.js';
import { type FailureReading, reportedFailure } from '../openai/failure.js';
import { mintedId } from '../openai/minted-id.js';
import { finishReason } from './outcome.js';
import { textLogprobs, urlCitation } from './output-text.js';
import { carriedReasoning, returnableReasoning } from './reasoning-items.js';
import { toUsage } from './usage.js';

interface OpenCall {
  readonly index: number;
  readonly custom: boolean;
  empty: boolean;
}

/** Reads the events of one response. Items are told apart by their place in the output: some servers change their ids. */
export class ResponseEventReader implements ChunkReader {
  private readonly calls = new Map<unknown, OpenCall>();
  private readonly annotations: JsonObject[] = [];
  /** Reasoning that the next call carries. */
  private reasoning: JsonObject[] = [];
  private started = false;
  private thought = false;
  private textLength = 0;
  /** Where the text of the part under way begins. */
  private partStart = 0;

  constructor(
    private readonly call: ProviderCall,
    private readonly failures: FailureReading,
    private readonly emit: (chunk: ChatCompletionChunk) => void,
  ) {}

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
      case 'response.content_part.added':
        this.partStart = this.textLength;
        return false;
      case 'response.output_text.delta':
        this.readText(data);
        return false;
      case 'response.output_text.annotation.added':
        this.annotations.push(...some(urlCitation(data.annotation, this.partStart)));
        return false;
      case 'response.refusal.delta':
        this.tell('refusal', data.delta);
        return false;
      case 'response.reasoning_summary_part.added':
        if (this.thought) this.tell('reasoning_content', '\n\n');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.thought = true;
        this.tell('reasoning_content', data.delta);
        return false;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.readArguments(data.output_index, data.delta);
        return false;
      case 'error':
        throw reportedFailure(data, this.call, this.failures);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        this.finish(isObject(data.response) ? data.response : {}, data.type);
        return true;
      default:
        if (event.event === 'error') throw reportedFailure(data, this.call, this.failures);
        return false;
    }
  }

  end(): void {}

  private beginItem({ item, output_index: place }: JsonObject): void {
    if (!isObject(item)) return;
    const custom = item.type === 'custom_tool_call';
    if (!custom && item.type !== 'function_call') {
      // The model is at work: what can be refused as a whole has been by now.
      this.say({});
      return;
    }
    const open: OpenCall = { index: this.calls.size, custom, empty: true };
    this.calls.set(place, open);
    const delta: ToolCallDelta = {
      index: open.index,
      id: textOf(item.call_id) ?? mintedId(this.call, 0, open.index),
      ...carriedReasoning(this.reasoning),
    };
    const name = textOf(item.name) ?? '';
    // The published schema of chunks knows functions only, but this is how OpenAI streams custom tools.
    if (custom) Object.assign(delta, { type: 'custom', custom: { name, input: '' } });
    else Object.assign(delta, { type: 'function', function: { name, arguments: '' } });
    this.reasoning = [];
    this.say({ tool_calls: [delta] });
  }

  /** A call whose arguments did not come in pieces has them whole in the item. */
  private endItem({ item, output_index: place }: JsonObject): void {
    if (!isObject(item)) return;
    if (item.type === 'reasoning') this.reasoning.push(...some(returnableReasoning(item)));
    const open = this.calls.get(place);
    if (open?.empty) this.readArguments(place, open.custom ? item.input : (textOf(item.arguments) ?? '{}'));
  }

  private readArguments(place: unknown, text: unknown): void {
    const open = this.calls.get(place);
    if (!open || typeof text !== 'string' || text === '') return;
    open.empty = false;
    const { index } = open;
    this.say({
      tool_calls: [open.custom ? { index, custom: { input: text } } : { index, function: { arguments: text } }],
    });
  }

  private readText({ delta, logprobs }: JsonObject): void {
    if (typeof delta !== 'string' || delta === '') return;
    this.textLength += delta.length;
    const tokens = textLogprobs(logprobs);
    this.say({ content: delta }, tokens && { logprobs: tokens });
  }

  private tell(field: 'refusal' | 'reasoning_content', text: unknown): void {
    if (typeof text === 'string' && text !== '') this.say({ [field]: text });
  }

  private finish(response: JsonObject, event: string): void {
    const status = textOf(response.status) ?? event.slice('response.'.length);
    const finish = finishReason({ ...response, status }, this.calls.size > 0, this.call, this.failures);
    const delta: ChatDelta = this.annotations.length > 0 ? { annotations: this.annotations } : {};
    this.say(delta, { finish_reason: finish }, response);
    const usage = toUsage(response);
    if (usage) this.emit({ ...this.chunkOf([]), usage });
  }

  /** Sends a delta; one that says nothing only as the first, for its role. */
  private say(delta: ChatDelta, more?: Partial<ChatChunkChoice> | null, envelope?: JsonObject): void {
    const first = !this.started;
    if (!first && !more && Object.keys(delta).length === 0) return;
    this.started = true;
    const told: ChatDelta = first ? { role: 'assistant', ...delta } : delta;
    const chunk = this.chunkOf([{ index: 0, delta: told, finish_reason: null, ...more }]);
    if (envelope) copyEnvelope(envelope, chunk);
    this.emit(chunk);
  }

  private chunkOf(choices: ChatChunkChoice[]): ChatCompletionChunk {
    const { id, created, model } = this.call;
    return { id, object: 'chat.completion.chunk', created, model, choices };
  }
}

function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error' || event.startsWith('response.');
}

function some(value: JsonObject | undefined): JsonObject[] {
  return value ? [value] : [];
}
