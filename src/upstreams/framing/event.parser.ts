import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { UpstreamEvent } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** Splits the bytes of one response into events. Throws an `UpstreamError` for invalid data. */
export interface EventParser {
  push(bytes: Buffer): void;
  /** Called when the body has ended. An event that lacks only its terminator is still passed on. */
  end(): void;
}

export type OnEvent = (event: UpstreamEvent) => void;

/** `maxEventSize` is in characters. */
export type CreateEventParser = (onEvent: OnEvent, maxEventSize?: number) => EventParser;

/** Sufficient for an image in base64. */
export const MAX_EVENT_SIZE = 16 * 1024 * 1024;

/** Whether the last event of a truncated body is complete. */
function isWhole(data: string): boolean {
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

export function eventTooLarge(maxEventSize: number): UpstreamError {
  return new UpstreamError({
    status: 502,
    limit: 'size',
    message: `An event of the answer is longer than ${maxEventSize} characters.`,
  });
}

/** Parses newline-delimited JSON; skips blank lines. */
export function createNdjsonParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  const decoder = new StringDecoder('utf8');
  // Pieces of the current line, joined once: long lines take linear time.
  let pieces: string[] = [];
  let size = 0;

  function hold(piece: string): void {
    size += piece.length;
    if (size > maxEventSize) throw eventTooLarge(maxEventSize);
    pieces.push(piece);
  }

  function line(): string {
    const whole = pieces.join('').trim();
    pieces = [];
    size = 0;
    return whole;
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes);
      let start = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
        hold(text.slice(start, end));
        const data = line();
        if (data !== '') onEvent({ event: '', data });
        start = end + 1;
      }
      if (start < text.length) hold(text.slice(start));
    },
    end() {
      hold(decoder.end());
      const data = line();
      if (data !== '' && isWhole(data)) onEvent({ event: '', data });
    },
  };
}

/** Parses server-sent events by the SSE standard; ignores comments, ids and retry times. */
export function createSseParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  return new SseParser(onEvent, maxEventSize);
}

class SseParser implements EventParser {
  private readonly parser: EventSourceParser;
  private decoder: StringDecoder | undefined;
  private ending = false;
  // Length of the current line. The parser limits what it buffers, but buffers nothing of comments and unknown fields.
  private lineLength = 0;

  constructor(
    onEvent: OnEvent,
    private readonly maxEventSize: number,
  ) {
    this.parser = createParser({
      maxBufferSize: maxEventSize,
      onEvent: ({ event = '', data }) => {
        if (data.length > maxEventSize) throw eventTooLarge(maxEventSize);
        if (!this.ending || isWhole(data)) onEvent({ event, data });
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw eventTooLarge(maxEventSize);
      },
    });
  }

  push(bytes: Buffer): void {
    const text = this.decoded(bytes);
    this.parser.feed(text);
    const end = endOfLastLine(text);
    this.lineLength = end < 0 ? this.lineLength + text.length : text.length - end;
    if (this.lineLength > this.maxEventSize) throw eventTooLarge(this.maxEventSize);
  }

  end(): void {
    // The standard drops a last event without a blank line; here, complete events are emitted nevertheless.
    this.ending = true;
    this.parser.feed(`${this.decoder?.end() ?? ''}\n\n`);
  }

  /** A streaming decoder is only needed for characters split between two chunks; it is slower. */
  private decoded(bytes: Buffer): string {
    if (this.decoder === undefined) {
      if ((bytes.at(-1) ?? 0) < 0x80) return bytes.toString();
      this.decoder = new StringDecoder('utf8');
    }
    return this.decoder.write(bytes);
  }
}

/** The end of the last complete line; -1: none. */
function endOfLastLine(text: string): number {
  if (text.endsWith('\n')) return text.length;
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return at < 0 ? -1 : at + 1;
}
