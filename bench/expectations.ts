/** Checks every answer: text, finish reason, usage and end must match what the upstream sent. */
import { type Format, JSON_TEXT, STREAM_TEXT, TEXT_EVENTS, TOTAL_TOKENS } from './traffic.ts';

/** Receives an answer's body; throws on a mismatch. */
export interface BodyCheck {
  push(data: Buffer): void;
  /** @throws if the body as a whole is wrong. */
  end(): void;
}

interface JsonAnswer {
  choices?: { message?: { content?: string }; finish_reason?: string }[];
  usage?: { total_tokens?: number };
}

export class JsonCheck implements BodyCheck {
  #body = '';

  push(data: Buffer): void {
    this.#body += data.toString('latin1');
  }

  end(): void {
    const { choices, usage } = JSON.parse(this.#body) as JsonAnswer;
    const choice = choices?.[0];
    expectEqual('text', choice?.message?.content, JSON_TEXT);
    expectEqual('finish reason', choice?.finish_reason, 'stop');
    expectEqual('total tokens', usage?.total_tokens, TOTAL_TOKENS);
  }
}

/** A comment. */
const HEARTBEAT = ':';

/** How to recognise the events of a stream. */
interface Marks {
  /** Of every event but the last. */
  start: string;
  text: string;
  finish: string;
  usage: string;
  /** The last event. */
  end: string;
  uncounted?: RegExp;
}

/** Anthropic events without an OpenAI chunk are not counted, so that a stream has 103 chunks in both formats. */
const MARKS: Record<Format, Marks> = {
  openai: {
    start: 'data: {',
    text: '"content":"',
    finish: '"finish_reason":"stop"',
    usage: `"total_tokens":${TOTAL_TOKENS}`,
    end: 'data: [DONE]',
  },
  anthropic: {
    start: 'event: ',
    text: '"text_delta","text":"',
    finish: '"stop_reason":"end_turn"',
    usage: `"output_tokens":${TEXT_EVENTS}`,
    end: 'event: message_stop\ndata: {"type":"message_stop"}',
    uncounted: /^event: (?:ping|content_block_stop)/,
  },
};

/**
 * Counts a stream's events and checks each by string search, which is far cheaper than parsing; the bench's texts
 * contain nothing that JSON would escape.
 */
export class StreamCheck implements BodyCheck {
  readonly #marks: Marks;
  readonly #onEvent: () => void;
  #rest = '';
  #text = '';
  #finishReasons = 0;
  #usages = 0;
  #isDone = false;

  /** `onEvent` is called for each chunk, without the end marker. */
  constructor(format: Format, onEvent: () => void) {
    this.#marks = MARKS[format];
    this.#onEvent = onEvent;
  }

  push(data: Buffer): void {
    const received = this.#rest + data.toString('latin1');
    let at = 0;
    for (let end = received.indexOf('\n\n'); end >= 0; end = received.indexOf('\n\n', at)) {
      this.#readEvent(received.slice(at, end));
      at = end + 2;
    }
    this.#rest = received.slice(at);
  }

  end(): void {
    expectEqual('end mark', this.#isDone, true);
    expectEqual('bytes after the end mark', this.#rest, '');
    expectEqual('text', this.#text, STREAM_TEXT);
    expectEqual('finish reasons', this.#finishReasons, 1);
    expectEqual('usage chunks', this.#usages, 1);
  }

  #readEvent(event: string): void {
    if (event.startsWith(HEARTBEAT)) return;
    const { start, text, finish, usage, end, uncounted } = this.#marks;
    if (event === end) {
      this.#isDone = true;
      return;
    }
    if (!event.startsWith(start) || this.#isDone) throw new Error(`unexpected event: ${event.slice(0, 200)}`);
    if (!uncounted?.test(event)) this.#onEvent();
    this.#text += stringAfter(event, text);
    if (event.includes(finish)) this.#finishReasons++;
    if (event.includes(usage)) this.#usages++;
  }
}

function stringAfter(event: string, key: string): string {
  const found = event.indexOf(key);
  if (found < 0) return '';
  const at = found + key.length;
  return event.slice(at, event.indexOf('"', at));
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}
