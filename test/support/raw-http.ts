import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A response as it came over the wire. */
export interface RawReply {
  /** Null if the connection ended without a response. */
  status: number | null;
  reason: string;
  headers: Headers;
  body: string;
  /** The server closed the connection. */
  closed: boolean;
}

export interface RawOptions {
  /** The pause after each piece. */
  everyMs?: number;
  /** Return after the head, for responses without a body (HEAD). */
  untilHead?: boolean;
  /** Wait until the server closes the connection. */
  untilClosed?: boolean;
}

/** Sends bytes unchanged, HTTP or not, and returns the first response. Closes the connection. */
export async function rawRequest(
  url: string,
  pieces: string | Buffer | (string | Buffer)[],
  { everyMs = 0, untilHead = false, untilClosed = false }: RawOptions = {},
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let received = '';
  let closed = false;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    received += text;
    if (!untilClosed && isWhole(received, untilHead)) end();
  });
  socket.on('error', () => end());
  socket.on('close', () => {
    closed = true;
    end();
  });
  for (const piece of [pieces].flat()) {
    socket.write(piece);
    if (everyMs > 0) await sleep(everyMs);
  }
  await ended;
  socket.destroy();
  return { ...parse(received), closed };
}

function parse(text: string): Omit<RawReply, 'closed'> {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const [, status, reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? [];
  const headers = new Headers(pairs);
  const body = rest.join('\r\n\r\n');
  return {
    status: status === undefined ? null : Number(status),
    reason,
    headers,
    body: isChunked(headers) ? joined(body) : body,
  };
}

function isWhole(text: string, untilHead: boolean): boolean {
  if (!text.includes('\r\n\r\n')) return false;
  const { headers, body } = parse(text);
  if (untilHead) return true;
  return isChunked(headers)
    ? text.endsWith('\r\n0\r\n\r\n')
    : Buffer.byteLength(body) >= Number(headers.get('content-length'));
}

function isChunked(headers: Headers): boolean {
  return headers.get('transfer-encoding') === 'chunked';
}

/** The content of a chunked body whose chunks contain no line break. */
function joined(body: string): string {
  return body
    .split('\r\n')
    .filter((_, line) => line % 2 === 1)
    .join('');
}
