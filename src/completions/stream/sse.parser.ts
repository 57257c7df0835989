import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { type EventParser, eventTooLarge, isWhole, MAX_EVENT_SIZE, type OnEvent } from './event.parser.js';

/** Parses server-sent events as the SSE standard says; comments, ids and retry times are passed over. */
export function createSseParser(onEvent: OnEvent, maxEventSize = MAX_EVENT_SIZE): EventParser {
  // StringDecoder holds a split character back as a streaming TextDecoder does, in a third of the time.
  const decoder = new StringDecoder('utf8');
  let ending = false;

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
      parser.feed(decoder.write(bytes));
    },
    end() {
      // The standard drops an event without its blank line; a whole one is good all the same.
      ending = true;
      parser.feed(`${decoder.end()}\n\n`);
    },
  };
}
