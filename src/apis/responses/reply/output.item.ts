import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { EventWriter } from './response.envelope.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/**
 * One item of a response's output; collects what the model writes. Between `open` and `close` it also writes events.
 * Only one item is open at a time, so that the events of items are never interleaved.
 */
export abstract class OutputItem {
  protected status: ItemStatus = 'in_progress';
  protected events: EventWriter | null = null;
  /** `output_index` and `item_id` as JSON members. */
  protected position = '';

  constructor(
    readonly id: string,
    readonly index: number,
  ) {}

  get isOpen(): boolean {
    return this.events !== null;
  }

  /** Whether this item is complete once another item has begun. */
  abstract get isOver(): boolean;

  /** Whether the content shows that more must follow. */
  get isPartial(): boolean {
    return false;
  }

  abstract toJson(): JsonObject;

  /** Writes the content collected so far, and each delta from now on. */
  open(events: EventWriter): void {
    this.position = `"item_id":"${this.id}","output_index":${this.index}`;
    events.write('response.output_item.added', `"output_index":${this.index},"item":${JSON.stringify(this.begun())}`);
    this.events = events;
    this.writeCollected(events);
  }

  close(status: 'completed' | 'incomplete'): void {
    this.status = status;
    const { events } = this;
    if (!events) return;
    this.writeEnd(events);
    events.write('response.output_item.done', `"output_index":${this.index},"item":${JSON.stringify(this.toJson())}`);
    this.events = null;
  }

  /** The item without content. */
  protected abstract begun(): JsonObject;
  protected abstract writeCollected(events: EventWriter): void;
  protected abstract writeEnd(events: EventWriter): void;
}

interface ImageData {
  readonly format: string;
  readonly base64: string;
}

/** The picture in a `data:` URL. */
export function imageData(url: string): ImageData | undefined {
  const [head, format = ''] = /^data:image\/([\w.+-]+)(?:;[^;,]*)*;base64,/i.exec(url.slice(0, 256)) ?? [];
  return head === undefined ? undefined : { format: format.toLowerCase(), base64: url.slice(head.length) };
}

/** `{"type": "image_generation_call"}`: a picture that the model made, always whole. */
export class ImageItem extends OutputItem {
  readonly isOver = true;

  constructor(
    id: string,
    index: number,
    private readonly image: ImageData,
  ) {
    super(id, index);
  }

  toJson(): JsonObject {
    const { format, base64 } = this.image;
    return { ...this.begun(), status: 'completed', output_format: format, result: base64 };
  }

  protected begun(): JsonObject {
    return { id: this.id, type: 'image_generation_call', status: 'in_progress', result: null };
  }

  protected writeCollected(events: EventWriter): void {
    events.write('response.image_generation_call.in_progress', this.position);
  }

  protected writeEnd(events: EventWriter): void {
    events.write('response.image_generation_call.completed', this.position);
  }
}
