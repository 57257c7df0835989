import { Observable, type OperatorFunction } from 'rxjs';
import type { Framing, UpstreamEvent } from '../contract/provider.adapter.js';
import { createAwsEventStreamParser } from './aws-event-stream.parser.js';
import type { CreateEventParser } from './event.parser.js';
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
      const parser = PARSERS[framing]((event) => subscriber.next(event));
      return source.subscribe({
        next(bytes) {
          try {
            parser.push(bytes);
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error) => subscriber.error(error),
        complete() {
          try {
            parser.end();
            subscriber.complete();
          } catch (error) {
            subscriber.error(error);
          }
        },
      });
    });
}
