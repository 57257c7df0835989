/** Checks every answer: text, finish reason, usage and end must match what the upstream sent. */
import { type Format, JSON_TEXT, STREAM_TEXT, TEXT_EVENTS, TOTAL_TOKENS } from './traffic.ts';

/** Receives an answer's body; throws on a mismatch. */
export interface BodyCheck {
  push(data: Buffer): void;
  /** @throws if the body as a whole is wrong. */
  end(): void;
}

/** What an answer says: its text, the reason for its end, and its tokens. */
type Reported = [text: unknown, finish: unknown, tokens: unknown];

interface ChatAnswer {
  choices?: { message?: { content?: string }; finish_reason?: string }[];
  usage?: { total_tokens?: number };
}

interface MessagesAnswer {
  content?: { text?: string }[];
  stop_reason?: string;
  usage?: { input_tokens: number; output_tokens: number };
}

interface ResponsesAnswer {
  output?: { content?: { text?: string }[] }[];
  status?: string;
  usage?: { total_tokens?: number };
}

const READERS: Record<Format, { finish: string; read(body: string): Reported }> = {
  openai: {
    finish: 'stop',
    read(body) {
      const { choices, usage } = JSON.parse(body) as ChatAnswer;
      return [choices?.[0]?.message?.content, choices?.[0]?.finish_reason, usage?.total_tokens];
    },
  },
  anthropic: {
    finish: 'end_turn',
    read(body) {
      const { content, stop_reason: reason, usage } = JSON.parse(body) as MessagesAnswer;
      return [content?.[0]?.text, reason, usage && usage.input_tokens + usage.output_tokens];
    },
  },
  responses: {
    finish: 'completed',
    read(body) {
      const { output, status, usage } = JSON.parse(body) as ResponsesAnswer;
      return [output?.[0]?.content?.[0]?.text, status, usage?.total_tokens];
    },
  },
};

export class JsonCheck implements BodyCheck {
  readonly #format: Format;
  #body = '';

  constructor(format: Format = 'openai') {
    this.#format = format;
  }

  push(data: Buffer): void {
    this.#body += data.toString('latin1');
  }

  end(): void {
    const { finish, read } = READERS[this.#format];
    const [text, reason, tokens] = read(this.#body);
    expectEqual('text', text, JSON_TEXT);
    expectEqual('finish reason', reason, finish);
    expectEqual('total tokens', tokens, TOTAL_TOKENS);
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
  /** The last event, or its start. */
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
  responses: {
    start: 'event: response.',
    text: '"delta":"',
    finish: 'event: response.completed',
    usage: `"total_tokens":${TOTAL_TOKENS}`,
    end: 'event: response.completed',
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
    if (this.#isDone) throw new Error(`unexpected event: ${event.slice(0, 200)}`);
    this.#isDone = event.startsWith(end);
    if (event === end) return;
    if (!event.startsWith(start)) throw new Error(`unexpected event: ${event.slice(0, 200)}`);
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
