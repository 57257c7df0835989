import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { type EventParser, eventTooLarge, isWhole, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

const EVENT = 'event: ';
const DATA = 'data: ';
const LF = 0x0a;

/** Parses server-sent events by the SSE standard; ignores comments, ids and retry times. */
export function createSseParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  return new SseParser(onEvent, maxEventSize);
}

/**
 * Splits whole events in their usual form itself. Everything else that the standard allows is passed to a standard
 * parser, which is created on first use.
 */
class SseParser implements EventParser {
  private standard: StandardParser | undefined;
  private decoder: StringDecoder | undefined;
  /** Whether no partial event, line or character is buffered. */
  private isBetweenEvents = true;
  /** A byte order mark only counts at the beginning. */
  private hasBegun = false;

  constructor(
    private readonly onEvent: OnEvent,
    private readonly maxEventSize: number,
  ) {}

  push(bytes: Buffer): void {
    const text = this.decoded(bytes);
    const at = this.isBetweenEvents ? this.readWholeEvents(text) : 0;
    this.hasBegun ||= at > 0;
    if (at < text.length) {
      this.standardParser().push(text.slice(at));
      this.isBetweenEvents = text.endsWith('\n\n');
    }
  }

  end(): void {
    const rest = this.decoder?.end() ?? '';
    if (this.isBetweenEvents && rest === '') return;
    this.standardParser().end(rest);
  }

  private standardParser(): StandardParser {
    if (this.standard === undefined) {
      this.standard = new StandardParser(this.onEvent, this.maxEventSize);
      if (this.hasBegun) this.standard.push('\n');
    }
    return this.standard;
  }

  /** A streaming decoder is only needed for characters split between two chunks; it is slower. */
  private decoded(bytes: Buffer): string {
    if (this.decoder === undefined) {
      if ((bytes.at(-1) ?? 0) < 0x80) return bytes.toString();
      this.decoder = new StringDecoder('utf8');
    }
    return this.decoder.write(bytes);
  }

  /** Returns the position up to which the text was read. */
  private readWholeEvents(text: string): number {
    if (text.includes('\r')) return 0;
    let at = 0;
    while (at < text.length) {
      const nameEnd = text.startsWith(EVENT, at) ? text.indexOf('\n', at) : -1;
      const dataAt = nameEnd < 0 ? at : nameEnd + 1;
      if (!text.startsWith(DATA, dataAt)) return at;
      const end = text.indexOf('\n', dataAt);
      if (end < 0 || text.charCodeAt(end + 1) !== LF) return at;
      const data = text.slice(dataAt + DATA.length, end);
      if (data.length > this.maxEventSize) throw eventTooLarge(this.maxEventSize);
      const event = nameEnd < 0 ? '' : text.slice(at + EVENT.length, nameEnd);
      at = end + 2;
      this.onEvent({ event, data });
    }
    return at;
  }
}

class StandardParser {
  private readonly parser: EventSourceParser;
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

  push(text: string): void {
    this.parser.feed(text);
    const end = endOfLastLine(text);
    this.lineLength = end < 0 ? this.lineLength + text.length : text.length - end;
    if (this.lineLength > this.maxEventSize) throw eventTooLarge(this.maxEventSize);
  }

  end(rest: string): void {
    // The standard drops a last event without a blank line; here, complete events are emitted nevertheless.
    this.ending = true;
    this.parser.feed(`${rest}\n\n`);
  }
}

/** The end of the last complete line; -1: none. */
function endOfLastLine(text: string): number {
  if (text.endsWith('\n')) return text.length;
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return at < 0 ? -1 : at + 1;
}
