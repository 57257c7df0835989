import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import type { Framing, UpstreamEvent } from '../contract/provider.adapter.js';
import { createAwsEventStreamParser } from './aws-event-stream.parser.js';
import { type CreateEventParser, createNdjsonParser, createSseParser, type EventParser } from './event.parser.js';

/** To add a framing, write its parser in a new file and list it here. */
const PARSERS = {
  sse: createSseParser,
  'aws-event-stream': createAwsEventStreamParser,
  ndjson: createNdjsonParser,
} as const satisfies Partial<Record<Framing, CreateEventParser>>;

/** Framings that an adapter in `providers.ts` may declare. */
export type AvailableFraming = keyof typeof PARSERS;

/** Splits a body into events; fails with an `UpstreamError`. */
export function framed(framing: AvailableFraming): OperatorFunction<Buffer, UpstreamEvent> {
  return (source) =>
    new Observable((subscriber) => {
      source.subscribe(new Framer(subscriber, PARSERS[framing]));
    });
}

/** A `Subscriber`, as functions given to `subscribe` cost RxJS two objects per stream and three calls per event. */
class Framer extends Subscriber<Buffer> {
  private readonly parser: EventParser;

  constructor(
    private readonly events: Subscriber<UpstreamEvent>,
    createParser: CreateEventParser,
  ) {
    super(events);
    this.parser = createParser((event) => events.next(event));
  }

  protected override _next(bytes: Buffer): void {
    try {
      this.parser.push(bytes);
    } catch (error) {
      this.events.error(error);
    }
  }

  protected override _complete(): void {
    try {
      this.parser.end();
      this.events.complete();
    } catch (error) {
      this.events.error(error);
    }
  }
}
