import { StringDecoder } from 'node:string_decoder';
import { type EventParser, eventTooLarge, isWhole, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

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
