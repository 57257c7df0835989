import type { GatewayError } from '../../../common/gateway.error.js';
import type { Recalled } from '../../../completions/formats/call-format.js';
import { parseIfJson } from '../../../json/exact-json.js';
import { type MemberEdits, withMembers } from '../../../json/json-members.js';
import type { NativeEvents } from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { EventWriter, errorFields, failureOf } from './response.envelope.js';

/** `response.created` and other events with the whole response: the event's first line, and its data. */
const WHOLE_RESPONSE = /^(event: response\.[a-z_]+\n)((?:data: .*\n)+)/gm;
const DATA = /^data: /gm;

/**
 * Passes on the answer of an upstream with the Responses API, which does not know what the gateway stores. The last
 * event is held back until `end`.
 */
export class NativeReply {
  hasBegun = false;
  private first = '';
  /** The latest events that were sent. */
  private latest = '';
  private last = '';
  /** Null: the answer is neither stored nor continues another one. */
  private readonly edits: MemberEdits | null;

  constructor(recalled: Recalled | null) {
    this.edits = recalled && {
      previous_response_id: JSON.stringify(recalled.previousId),
      store: String(recalled.sink !== null),
    };
  }

  whole(text: string): string {
    return this.edits === null ? text : withMembers(text, this.edits);
  }

  next(events: NativeEvents | undefined): string {
    if (!events) return '';
    const text = this.edits === null ? events.text : withResponses(events.text, this.edits);
    if (!this.hasBegun) this.first = text;
    this.hasBegun = true;
    if (events.isLast) {
      this.last = text;
      return '';
    }
    this.latest = text;
    return text;
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

function withResponses(text: string, response: MemberEdits): string {
  return text.replace(WHOLE_RESPONSE, (_, head: string, data: string) => {
    const json = withMembers(data.replace(DATA, '').trimEnd(), { response });
    return `${head}data: ${json.replaceAll('\n', '\ndata: ')}\n`;
  });
}

/** The number of the last event in SSE text. */
function lastNumberIn(text: string): number {
  const numbers = eventsIn(text).flatMap(({ sequence_number: number }) => (typeof number === 'number' ? [number] : []));
  return numbers.at(-1) ?? 0;
}

/** The response of the first event in SSE text that has one. */
export function responseIn(text: string): JsonObject {
  for (const { response } of eventsIn(text)) if (isObject(response)) return response;
  return {};
}

export function eventsIn(text: string): JsonObject[] {
  return text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data:'));
    const value = parseIfJson(data.map((line) => line.slice('data:'.length)).join('\n'));
    return isObject(value) ? [value] : [];
  });
}
