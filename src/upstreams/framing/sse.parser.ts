import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { type EventParser, eventTooLarge, isWhole, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

/** Parses server-sent events as the SSE standard says; comments, ids and retry times are passed over. */
export function createSseParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  // StringDecoder holds a split character back as a streaming TextDecoder does, in a third of the time.
  const decoder = new StringDecoder('utf8');
  let ending = false;
  // Of the line under way. The parser bounds what it keeps; of a comment or an unknown field it keeps nothing.
  let lineLength = 0;

  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent({ event = '', data }) {
      if (data.length > maxEventSize) throw eventTooLarge(maxEventSize);
      if (!ending || isWhole(data)) onEvent({ event, data });
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw eventTooLarge(maxEventSize);
    },
  });

  return {
    push(bytes) {
      const text = decoder.write(bytes);
      parser.feed(text);
      const end = endOfLastLine(text);
      lineLength = end < 0 ? lineLength + text.length : text.length - end;
      if (lineLength > maxEventSize) throw eventTooLarge(maxEventSize);
    },
    end() {
      // The standard drops an event without its blank line; a whole one is good all the same.
      ending = true;
      parser.feed(`${decoder.end()}\n\n`);
    },
  };
}

/** Where the last line of a text has ended; -1 where none has. */
function endOfLastLine(text: string): number {
  if (text.endsWith('\n')) return text.length;
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return at < 0 ? -1 : at + 1;
}
