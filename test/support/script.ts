import { STATUS_CODES } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The server's end of a connection. */
export interface Wire {
  /** Resolves once the socket is writable again; does nothing after the connection's end. */
  write(data: string | Uint8Array): Promise<void>;
  /** Sends FIN: the client sees the end of the stream. */
  end(): void;
  /** Sends RST. */
  reset(): void;
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>;
  readonly gone: boolean;
}

/** A single action of the upstream. */
export type Step = (wire: Wire) => void | Promise<void>;

/** The upstream's actions for one request; the connection stays open unless a step closes it. */
export type Script = Step | readonly Script[];

export type Headers = Record<string, string | readonly string[]>;

export function bytes(data: string | Uint8Array): Step {
  return (wire) => wire.write(data);
}

/** Sends the bytes in single writes, `everyMs` apart. */
export function drip(data: string | Uint8Array, everyMs = 0): Step {
  return async (wire) => {
    for (const byte of Buffer.from(data as string)) {
      if (wire.gone) return;
      await wire.write(Uint8Array.of(byte));
      await (everyMs > 0 ? untilEnded(wire, everyMs) : nextTurn());
    }
  };
}

/** Sends `total` bytes as fast as the client reads. */
export function flood(total: number, piece = Buffer.alloc(64 * 1024, 'x')): Step {
  return async (wire) => {
    for (let sent = 0; sent < total && !wire.gone; sent += piece.length) {
      await wire.write(piece.subarray(0, total - sent));
    }
  };
}

export function pause(ms: number): Step {
  return (wire) => untilEnded(wire, ms);
}

/** Waits for a promise of the test. */
export function gate(opened: Promise<unknown>): Step {
  return async (wire) => {
    await Promise.race([opened, wire.closed]);
  };
}

export function reset(): Step {
  return (wire) => wire.reset();
}

export function end(): Step {
  return (wire) => wire.end();
}

/** Does nothing while the client stays connected. */
export function hang(): Step {
  return (wire) => wire.closed;
}

/** The head of a response, with exactly these headers. */
export function head(status: number, headers: Headers = {}): Step {
  return bytes(toHead(status, headers));
}

/** A whole response with its content-length. */
export function reply(status: number, headers: Headers = {}, body: string | Uint8Array = ''): Script {
  const content = Buffer.from(body as string);
  const top = toHead(status, { 'content-length': String(content.length), ...headers });
  return bytes(Buffer.concat([Buffer.from(top, 'latin1'), content]));
}

export function json(status: number, value: unknown, headers: Headers = {}): Script {
  return reply(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value));
}

/** A piece of a chunked body; `lastChunk` ends it. */
export function chunk(data: string | Uint8Array): Step {
  const content = Buffer.from(data as string);
  return bytes(Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]));
}

export function lastChunk(): Step {
  return bytes('0\r\n\r\n');
}

export interface SseOptions {
  headers?: Headers;
  /** Ends the stream with `data: [DONE]`; default true. */
  done?: boolean;
}

/**
 * A streamed answer: an object is sent as one `data:` event, a string unchanged, and a step (a pause, a reset…) runs in
 * its place.
 */
export function sse(items: readonly (object | string | Step)[], { headers, done = true }: SseOptions = {}): Script {
  return [
    head(200, { 'content-type': 'text/event-stream; charset=utf-8', 'transfer-encoding': 'chunked', ...headers }),
    ...items.map(toSseStep),
    ...(done ? [chunk('data: [DONE]\n\n')] : []),
    lastChunk(),
  ];
}

function toSseStep(item: object | string | Step): Step {
  if (typeof item === 'function') return item as Step;
  return chunk(typeof item === 'string' ? item : `data: ${JSON.stringify(item)}\n\n`);
}

function toHead(status: number, headers: Headers): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`;
}

async function untilEnded(wire: Wire, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, wire.closed]);
  clearTimeout(timer);
}
