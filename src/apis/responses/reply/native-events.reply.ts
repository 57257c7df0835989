import type { GatewayError } from '../../../common/gateway.error.js';
import { parseIfJson } from '../../../json/parse-if-json.js';
import type { NativeEvents } from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { EventWriter } from './event.writer.js';
import { errorFields, failureOf } from './failure.js';

/** Passes on the events of an upstream with the Responses API. The last event is held back until `end`. */
export class NativeEventsReply {
  hasBegun = false;
  private first = '';
  /** The latest events that were sent. */
  private latest = '';
  private last = '';

  next(events: NativeEvents | undefined): string {
    if (!events) return '';
    if (!this.hasBegun) this.first = events.text;
    this.hasBegun = true;
    if (events.isLast) {
      this.last = events.text;
      return '';
    }
    this.latest = events.text;
    return events.text;
  }

  end(): string {
    return this.last;
  }

  /** Ends the stream as the upstream would: with the upstream's response, continuing its event numbers. */
  fail(error: GatewayError): string {
    const writer = new EventWriter();
    writer.continueAt(lastNumberIn(this.latest) + 1);
    writer.write('error', errorFields(error));
    const response = { ...responseIn(this.first), status: 'failed', error: failureOf(error) };
    writer.write('response.failed', `"response":${JSON.stringify(response)}`);
    return writer.take();
  }
}

/** The number of the last event in SSE text. */
function lastNumberIn(text: string): number {
  const numbers = eventsIn(text).flatMap(({ sequence_number: number }) => (typeof number === 'number' ? [number] : []));
  return numbers.at(-1) ?? 0;
}

function responseIn(text: string): JsonObject {
  for (const { response } of eventsIn(text)) if (isObject(response)) return response;
  return {};
}

function eventsIn(text: string): JsonObject[] {
  return text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data:'));
    const value = parseIfJson(data.map((line) => line.slice('data:'.length)).join('\n'));
    return isObject(value) ? [value] : [];
  });
}
