import type { Socket } from 'node:net';

/** Larger heads are not interim responses and are passed on. */
const LIMIT = 64 * 1024;

const VERSION = Buffer.from('HTTP/1.');
const STATUS_AT = 'HTTP/1.1 '.length;
const SWITCHING_PROTOCOLS = '101';

/**
 * Hides interim responses (100, 102, 103…) from the reader of a client socket. A server may send them at any time, and
 * undici closes the connection at a 100. Connections have one request at a time, so only the first data after the
 * client has written must be checked.
 */
export function skipInterimResponses<Client extends Socket>(socket: Client): Client {
  const write = socket.write;
  const read = socket.read;
  let isAtHead = false;
  let pending: Buffer | null = null;

  socket.write = function (this: Client, ...written: Parameters<Socket['write']>) {
    isAtHead = true;
    return write.apply(this, written);
  } as Client['write'];

  socket.read = function (this: Client, size?: number) {
    let data: Buffer | null = read.call(this, size);
    while (isAtHead && data !== null) {
      const rest = afterInterimResponses(pending === null ? data : Buffer.concat([pending, data]));
      isAtHead = rest.isInterim;
      if (!isAtHead) {
        pending = null;
        return rest.data;
      }
      pending = rest.data;
      data = read.call(this, size);
    }
    return data;
  };
  return socket;
}

/** The data after all complete interim responses. `isInterim`: it may be the start of another one. */
function afterInterimResponses(data: Buffer): { data: Buffer; isInterim: boolean } {
  let rest = data;
  while (mayBeInterim(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { data: rest, isInterim: rest.length < LIMIT };
    rest = rest.subarray(end + 4);
  }
  return { data: rest, isInterim: false };
}

function mayBeInterim(data: Buffer): boolean {
  const known = Math.min(data.length, VERSION.length);
  if (data.compare(VERSION, 0, known, 0, known) !== 0) return false;
  const status = data.toString('latin1', STATUS_AT, STATUS_AT + 3);
  return status === '' || (status.startsWith('1') && status !== SWITCHING_PROTOCOLS);
}
