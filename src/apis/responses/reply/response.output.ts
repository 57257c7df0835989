import type {
  ChatChunkChoice,
  ChatDelta,
  FinishReason,
  ToolCallDelta,
} from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../../upstreams/contract/json.js';
import type { ToolNames } from '../request/chat-tools.js';
import { itemId, reasoningId } from '../request/native-request.js';
import { CallItem } from './call.item.js';
import { MessageItem, toAnnotation } from './message.item.js';
import { ImageItem, imageData, type OutputItem } from './output.item.js';
import { ReasoningItem, type ShownReasoning } from './reasoning.item.js';
import type { EventWriter } from './response.envelope.js';

export interface OutputOptions {
  readonly callId: string;
  readonly names: ToolNames;
  readonly shown: ShownReasoning;
  readonly logprobs: boolean;
}

/**
 * Converts the deltas of a choice to the items of a response. With `events` it also writes the events of a stream, one
 * item at a time in the order of items. Upstreams may interleave the deltas of several tool calls; the deltas of a
 * later call are then kept until the earlier call is complete.
 */
export class ResponseOutput {
  private readonly items: OutputItem[] = [];
  private readonly calls = new Map<number, CallItem>();
  /** The index of the item whose events are being written. */
  private live = 0;
  private textLength = 0;
  private hasFinished = false;

  constructor(
    private readonly options: OutputOptions,
    private readonly events: EventWriter | null,
  ) {}

  read({ delta, logprobs }: Pick<ChatChunkChoice, 'delta' | 'logprobs'>): void {
    const { reasoning_content: thought, content, refusal, images, tool_calls: calls, annotations } = delta;
    if (thought) this.readThought(thought);
    this.readMessageFields(delta);
    if (content) this.readText(content, logprobs);
    if (refusal) this.message().refusalPart().add(refusal);
    for (const { image_url: image } of images ?? []) this.readImage(image.url);
    if (calls) for (const call of calls) this.readCall(call);
    if (annotations !== undefined) for (const one of objectsOf(annotations)) this.annotate(one);
  }

  /** Ends all items. An answer without items gets an empty message. */
  finish(reason: FinishReason | null): void {
    if (this.hasFinished) return;
    if (this.items.length === 0) this.message().textPart(0);
    this.hasFinished = true;
    const isCut = reason === 'length' || reason === 'content_filter';
    for (; this.live < this.items.length; this.live++) {
      const item = this.items[this.live];
      const isLast = this.live === this.items.length - 1;
      if (this.events && item && !item.isOpen) item.open(this.events);
      // Calls may be interleaved, so that one before the last was cut, too.
      item?.close(isCut && (isLast || item.isPartial) ? 'incomplete' : 'completed');
    }
  }

  /** In a stream, only items with events so far. If the answer failed, unfinished items are incomplete. */
  toJson(hasFailed = false): JsonObject[] {
    const reported = this.events && !this.hasFinished ? this.items.slice(0, this.live + 1) : this.items;
    return reported.map((item, index) => {
      const json = item.toJson();
      return hasFailed && index >= this.live && !this.hasFinished ? { ...json, status: 'incomplete' } : json;
    });
  }

  private readThought(text: string): void {
    const { summary, encrypted } = this.options.shown;
    if (summary || encrypted) this.reasoning().add(text);
  }

  /** Fields that a provider needs back with the message; some streams have them only at the end. */
  private readMessageFields({ extra_content: extra, reasoning_details: details }: ChatDelta): void {
    if (!this.options.shown.encrypted || (!isObject(extra) && !Array.isArray(details))) return;
    const item = this.reasoning();
    item.ofMessage = {
      ...item.ofMessage,
      ...(isObject(extra) && { extra_content: extra }),
      ...(Array.isArray(details) && { reasoning_details: details }),
    };
  }

  private readText(text: string, logprobs: ChatChunkChoice['logprobs']): void {
    const known = this.options.logprobs ? objectsOf(logprobs?.content) : [];
    this.message().textPart(this.textLength).add(text, known);
    this.textLength += text.length;
  }

  /** Items have base64 only, so an address becomes text. */
  private readImage(url: string): void {
    const image = imageData(url);
    const index = this.items.length;
    if (image) this.begin(new ImageItem(itemId('ig', this.options.callId, index), index, image));
    else this.readText(url, null);
  }

  private readCall(delta: ToolCallDelta): void {
    const call = this.calls.get(delta.index) ?? this.beginCall(delta);
    const { function: called, custom } = delta;
    const text = textOf(isObject(custom) ? custom.input : called?.arguments);
    if (text === undefined || (this.isClosed(call) && text.trim() === '')) return;
    call.add(text);
    if (call.index === this.live) this.advance();
  }

  private beginCall(delta: ToolCallDelta): CallItem {
    const { index, id, type, function: called, custom, extra_content: extra } = delta;
    if (this.options.shown.encrypted && isObject(extra)) this.reasoning().ofCall = extra;
    const { callId, names } = this.options;
    const isCustom = type === 'custom' || isObject(custom);
    const offered = textOf(isObject(custom) ? custom.name : called?.name) ?? '';
    const tool = names.called(offered);
    const position = this.items.length;
    const named = { callId: id || itemId('call', callId, position), name: tool.name, namespace: tool.namespace };
    const kind = isCustom || tool.isCustom ? 'custom' : 'function';
    const itemPrefix = kind === 'custom' ? 'ctc' : 'fc';
    const item = new CallItem(itemId(itemPrefix, callId, position), position, named, kind, !isCustom);
    this.calls.set(index, item);
    return this.begin(item);
  }

  private annotate(annotation: JsonObject): void {
    for (const item of this.items) {
      if (!(item instanceof MessageItem)) continue;
      for (const part of item.textParts()) {
        const flat = toAnnotation(annotation, part.start, part.end);
        if (flat && part.annotate(flat, this.events !== null && item.index <= this.live)) return;
      }
    }
  }

  private reasoning(): ReasoningItem {
    const last = this.items.at(-1);
    if (last instanceof ReasoningItem && !this.isClosed(last)) return last;
    const index = this.items.length;
    return this.begin(new ReasoningItem(reasoningId(this.options.callId, index), index, this.options.shown));
  }

  private message(): MessageItem {
    const last = this.items.at(-1);
    if (last instanceof MessageItem && !this.isClosed(last)) return last;
    const index = this.items.length;
    return this.begin(new MessageItem(itemId('msg', this.options.callId, index), index));
  }

  private begin<Item extends OutputItem>(item: Item): Item {
    this.items.push(item);
    this.advance();
    return item;
  }

  /** Opens the live item. While it is complete and another item has begun, closes it and opens the next. */
  private advance(): void {
    const { events, items } = this;
    if (!events) return;
    for (;;) {
      const item = items[this.live];
      if (!item) return;
      if (!item.isOpen) item.open(events);
      if (this.live === items.length - 1 || !item.isOver) return;
      item.close('completed');
      this.live++;
    }
  }

  private isClosed(item: OutputItem): boolean {
    return this.hasFinished || item.index < this.live;
  }
}
