import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { EventWriter } from './event.writer.js';

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
