import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { eventData } from '../shared/event-data.js';
import { toolCallLimit } from '../shared/request-fields.js';
import { toAnnotations } from './citations.js';
import { reportedFailure } from './failure.js';
import { isFailure, toFinishReason } from './finish-reason.js';
import { toLogprobs } from './logprobs.js';
import { withThoughts } from './thoughts.js';
import { argumentsText, StreamedArguments } from './tool-calls.js';
import { toolNames } from './tools.js';
import { toUsage } from './usage.js';

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

  read(event: UpstreamEvent): boolean {
    const body = eventData(event, (name) => OWN_EVENT.test(name));
    if (body === undefined) return false;
    const delta = objectOf(body.delta);
    if (body.type === 'message-end') {
      if (isFailure(delta.finish_reason) || textOf(delta.error) !== undefined) throw reportedFailure(delta, this.call);
      this.usage = toUsage(delta.usage);
      if (typeof delta.finish_reason === 'string') this.finish(delta.finish_reason);
      return true;
    }
    const message = objectOf(delta.message);
    if (body.type === 'content-delta') this.readContent(message.content, body.logprobs);
    else this.readPart(body.type, body.index, message);
    return false;
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
    if (!isObject(opened) || this.toolCalls >= toolCallLimit(this.call.request)) return;
    const name = textOf(objectOf(opened.function).name) ?? '';
    const carried = this.toolCalls === 0 ? withThoughts({ thinking: this.thinking, toolPlan: this.toolPlan }) : {};
    const index = this.beginCall(opened.id, this.names.toCaller(name), carried);
    const streamed = new StreamedArguments((text) => this.emitArguments(index, text));
    this.calls.set(callIndex, streamed);
    this.readArguments(streamed, opened);
  }

  private readArguments(call: StreamedArguments | undefined, delta: unknown): void {
    const { arguments: written } = objectOf(objectOf(delta).function);
    if (typeof written === 'string') call?.add(written);
    else if (isObject(written)) call?.add(argumentsText(written));
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
