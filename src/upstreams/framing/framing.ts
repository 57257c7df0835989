import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import type { Framing, UpstreamEvent } from '../contract/provider.adapter.js';
import { createAwsEventStreamParser } from './aws-event-stream.parser.js';
import type { CreateEventParser, EventParser } from './event.parser.js';
import { createNdjsonParser } from './ndjson.parser.js';
import { createSseParser } from './sse.parser.js';

/** The framings that exist. A new one is a parser in a file of its own and a line here. */
const PARSERS = {
  sse: createSseParser,
  'aws-event-stream': createAwsEventStreamParser,
  ndjson: createNdjsonParser,
} as const satisfies Partial<Record<Framing, CreateEventParser>>;

/** A framing with a parser: what an adapter must declare to be listed in `providers.ts`. */
export type AvailableFraming = keyof typeof PARSERS;

/** A synchronous operator that cuts the body of an answer into events; fails with an `UpstreamError`. */
export function framed(framing: AvailableFraming): OperatorFunction<Buffer, UpstreamEvent> {
  return (source) =>
    new Observable((subscriber) => {
      source.subscribe(new Framer(subscriber, PARSERS[framing]));
    });
}

/** A `Subscriber`, since functions given to `subscribe` cost RxJS two objects a stream and three calls an event. */
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
