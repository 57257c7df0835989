import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { type EventParser, eventTooLarge, isWhole, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

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
