/** Checks every answer that comes back: text, finish reason, usage and end must be what the upstream sent. */
import { JSON_TEXT, STREAM_TEXT, TOTAL_TOKENS } from './traffic.ts';

/** Fed with an answer's body; complains by throwing. */
export interface BodyCheck {
  push(data: Buffer): void;
  /** @throws when the whole body was not what it should be. */
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

/**
 * Counts a stream's events and looks into each by string search, far cheaper than parsing;
 * the texts of the bench hold nothing that JSON would escape.
 */
export class StreamCheck implements BodyCheck {
  readonly #onEvent: () => void;
  #rest = '';
  #text = '';
  #finishReasons = 0;
  #usages = 0;
  #isDone = false;

  /** `onEvent` is called for each event but `[DONE]`. */
  constructor(onEvent: () => void) {
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
    expectEqual('[DONE]', this.#isDone, true);
    expectEqual('bytes after [DONE]', this.#rest, '');
    expectEqual('text', this.#text, STREAM_TEXT);
    expectEqual('finish reasons', this.#finishReasons, 1);
    expectEqual('usage chunks', this.#usages, 1);
  }

  #readEvent(event: string): void {
    if (event === 'data: [DONE]') {
      this.#isDone = true;
      return;
    }
    if (!event.startsWith('data: {') || this.#isDone) throw new Error(`unexpected event: ${event.slice(0, 200)}`);
    this.#onEvent();
    this.#text += stringAfter(event, '"content":"');
    if (event.includes('"finish_reason":"stop"')) this.#finishReasons++;
    if (event.includes(`"total_tokens":${TOTAL_TOKENS}`)) this.#usages++;
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
