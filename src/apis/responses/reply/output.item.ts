import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { EventWriter } from './event.writer.js';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/**
 * One item of a response's output. It collects what the model writes. From `open` to `close` it also writes events: one
 * item at a time, so that the events of items never mix.
 */
export abstract class OutputItem {
  protected status: ItemStatus = 'in_progress';
  protected events: EventWriter | null = null;
  /** `output_index` and `item_id` as JSON members. */
  protected place = '';

  constructor(
    readonly id: string,
    readonly index: number,
  ) {}

  get isOpen(): boolean {
    return this.events !== null;
  }

  /** Whether nothing can follow in this item once another has begun. */
  abstract get isOver(): boolean;

  abstract toJson(): JsonObject;

  /** Writes what was collected so far, and from now on every delta. */
  open(events: EventWriter): void {
    this.place = `"item_id":"${this.id}","output_index":${this.index}`;
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

  /** The item before the model wrote anything. */
  protected abstract begun(): JsonObject;
  protected abstract writeCollected(events: EventWriter): void;
  protected abstract writeEnd(events: EventWriter): void;
}
