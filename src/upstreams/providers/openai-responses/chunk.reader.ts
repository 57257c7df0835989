import type { ChatCompletionChunk, ChatDelta } from '../../contract/chat.types.js';
import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { chunkOf } from '../../contract/envelope.js';
import { isObject, type JsonObject, objectOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { copyEnvelope } from '../openai/envelope.js';
import { type FailureReading, reportedFailure } from '../openai/failure.js';
import { textLogprobs } from '../openai/logprobs.js';
import { eventData } from '../shared/event-data.js';
import { mintedId } from '../shared/tool-call-ids.js';
import { toAnnotations } from './citations.js';
import { toFinishReason } from './finish-reason.js';
import { carriedReasoning, returnableReasoning } from './thoughts.js';
import { toUsage } from './usage.js';

interface OpenCall {
  readonly index: number;
  readonly custom: boolean;
  empty: boolean;
}

/** Reads the events of one response. Identifies items by output index, as some servers change their ids. */
export class ResponsesChunkReader extends SingleChoiceReader {
  private readonly calls = new Map<unknown, OpenCall>();
  /** Reasoning that the next call carries. */
  private reasoning: JsonObject[] = [];
  private thought = false;
  /** The position at which the text of the current part begins. */
  private partStart = 0;

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
      case 'response.content_part.added':
        this.partStart = this.textLength;
        return false;
      case 'response.output_text.delta':
        this.readText(data);
        return false;
      case 'response.output_text.annotation.added':
        this.annotations.push(...toAnnotations(data.annotation, this.partStart));
        return false;
      case 'response.refusal.delta':
        if (textOf(data.delta)) this.emitDelta({ refusal: textOf(data.delta) });
        return false;
      case 'response.reasoning_summary_part.added':
        if (this.thought) this.emitReasoning('\n\n');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.thought = true;
        this.emitReasoning(data.delta);
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
        this.finish(objectOf(data.response), data.type);
        return true;
      default:
        if (event.event === 'error') throw reportedFailure(data, this.call, this.failures);
        return false;
    }
  }

  private beginItem({ item, output_index: outputIndex }: JsonObject): void {
    if (!isObject(item)) return;
    const custom = item.type === 'custom_tool_call';
    if (!custom && item.type !== 'function_call') {
      // The model has started; errors of the whole request would have been reported earlier.
      if (!this.choice.started) this.emitDelta({});
      return;
    }
    const id = textOf(item.call_id) ?? mintedId(this.call, 0, this.toolCalls);
    const form = custom ? 'custom' : 'function';
    const index = this.beginCall(id, textOf(item.name) ?? '', carriedReasoning(this.reasoning), form);
    this.calls.set(outputIndex, { index, custom, empty: true });
    this.reasoning = [];
  }

  /** If a call streamed no arguments, they are in the item. */
  private endItem({ item, output_index: outputIndex }: JsonObject): void {
    if (!isObject(item)) return;
    if (item.type === 'reasoning') this.reasoning.push(...returnableReasoning(item));
    const open = this.calls.get(outputIndex);
    if (open?.empty) this.readArguments(outputIndex, open.custom ? item.input : (textOf(item.arguments) ?? '{}'));
  }

  private readArguments(outputIndex: unknown, text: unknown): void {
    const open = this.calls.get(outputIndex);
    if (!open || typeof text !== 'string' || text === '') return;
    open.empty = false;
    this.emitArguments(open.index, text, open.custom ? 'custom' : 'function');
  }

  private readText({ delta, logprobs }: JsonObject): void {
    const text = textOf(delta);
    if (text !== undefined) this.emitText(text, textLogprobs(logprobs));
  }

  private finish(response: JsonObject, event: string): void {
    const status = textOf(response.status) ?? event.slice('response.'.length);
    const finish = toFinishReason({ ...response, status }, this.toolCalls > 0, this.call, this.failures);
    const delta: ChatDelta = this.annotations.length > 0 ? { annotations: this.annotations } : {};
    const chunk = chunkOf(this.call, [this.choice.next(delta, finish)]);
    copyEnvelope(response, chunk);
    this.emit(chunk);
    this.usage = toUsage(response);
  }
}

function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error' || event.startsWith('response.');
}
