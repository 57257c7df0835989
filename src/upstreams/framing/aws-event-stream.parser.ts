import { crc32 } from 'node:zlib';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { UpstreamError } from '../contract/upstream.error.js';
import { type EventParser, eventTooLarge, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

/** Total length, header length, and the checksum of both. */
const PRELUDE_LENGTH = 12;
/** The prelude and the message checksum. */
const MIN_MESSAGE_LENGTH = 16;

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : utf8(bytes)),
  (text) => Buffer.from(text),
);

/**
 * Parses AWS's event stream: binary messages with checksums of the prelude and of the whole message. The name of an
 * event is its `:event-type`, of an exception `exception:` and its type, of an error `error:` and its code.
 * `maxEventSize` is in bytes. A truncated message at the end of the body is dropped.
 */
export function createAwsEventStreamParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  // Pieces of the current message, joined once at its end: long messages take linear time.
  let pieces: Buffer[] = [];
  let pending = 0;
  let needed = PRELUDE_LENGTH;

  function take(piece: Buffer): void {
    pieces.push(piece);
    pending += piece.length;
    if (pending < needed) return;
    const bytes = pieces.length === 1 ? piece : Buffer.concat(pieces, pending);
    if (needed === PRELUDE_LENGTH) {
      needed = messageLength(bytes, maxEventSize);
      pieces = [bytes];
      return;
    }
    pieces = [];
    pending = 0;
    needed = PRELUDE_LENGTH;
    readMessage(bytes, onEvent);
  }

  return {
    push(bytes) {
      let start = 0;
      while (start < bytes.length) {
        const isPreludeHere = pending === 0 && bytes.length - start >= PRELUDE_LENGTH;
        if (isPreludeHere) needed = messageLength(bytes.subarray(start, start + PRELUDE_LENGTH), maxEventSize);
        const end = Math.min(bytes.length, start + needed - pending);
        take(bytes.subarray(start, end));
        start = end;
      }
    },
    end() {},
  };
}

/** Checked before the parser waits for that many bytes. */
function messageLength(prelude: Buffer, maxEventSize: number): number {
  const length = prelude.readUInt32BE(0);
  const headersLength = prelude.readUInt32BE(4);
  if (crc32(prelude.subarray(0, 8)) !== prelude.readUInt32BE(8)) throw damaged('prelude checksum');
  if (length > maxEventSize) throw eventTooLarge(maxEventSize);
  if (length < MIN_MESSAGE_LENGTH || headersLength > length - MIN_MESSAGE_LENGTH) throw damaged('length');
  return length;
}

function readMessage(bytes: Buffer, onEvent: OnEvent): void {
  const { headers, body } = decoded(bytes);
  const header = (name: string): string => {
    const value = headers[name]?.value;
    return typeof value === 'string' ? value : '';
  };
  const type = header(':message-type');
  if (type === 'event') onEvent({ event: header(':event-type'), data: utf8(body) });
  if (type === 'exception') onEvent({ event: `exception:${header(':exception-type')}`, data: utf8(body) });
  if (type === 'error') {
    const data = JSON.stringify({ message: header(':error-message') });
    onEvent({ event: `error:${header(':error-code')}`, data });
  }
}

function decoded(bytes: Buffer): ReturnType<EventStreamCodec['decode']> {
  try {
    return codec.decode(bytes);
  } catch (cause) {
    throw damaged('message', { cause });
  }
}

function damaged(what: string, options?: ErrorOptions): UpstreamError {
  return new UpstreamError({ status: 502, message: `An event of the answer is damaged (${what}).` }, options);
}

function utf8({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
