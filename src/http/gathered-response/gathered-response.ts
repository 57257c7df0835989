import type { Writable } from 'node:stream';
import type { Response } from 'express';

const LAST_CHUNK = '0\r\n\r\n';

export interface Reader {
  fellBehind(): void;
  caughtUp(): void;
}

/**
 * Gathers the writes of one turn of the event loop into one, so that the events of one upstream read leave together. It
 * frames transfer chunks itself, as Node makes three pieces of each, and writes directly to the socket once the head is
 * sent.
 */
export class GatheredResponse {
  private text = '';
  private isChunked = false;
  private isHeadSent = false;
  private isFull = false;

  constructor(
    private readonly response: Response,
    private readonly reader: Reader,
  ) {}

  writeHead(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, headers);
    // HTTP/1.0 clients get no chunked encoding.
    this.isChunked = this.response.chunkedEncoding;
    this.response.chunkedEncoding = false;
  }

  write(text: string): void {
    if (this.text === '') process.nextTick(flush, this);
    this.text += text;
  }

  flush(): void {
    if (this.text === '' || this.response.writableEnded) return;
    const stream = this.send(this.framed());
    if (stream === null || this.isFull) return;
    this.isFull = true;
    this.reader.fellBehind();
    stream.once('drain', () => {
      this.isFull = false;
      this.reader.caughtUp();
    });
  }

  end(last: string): void {
    this.text += last;
    this.response.end(this.isChunked ? this.framed() + LAST_CHUNK : this.framed());
  }

  /** Returns the full stream, if any. */
  private send(text: string): Writable | null {
    const { response } = this;
    const { socket } = response;
    // Without a socket, an earlier answer is still being sent.
    if (this.isHeadSent && socket?.writable) return socket.write(text) ? null : socket;
    this.isHeadSent = true;
    // Node would delay it by a turn to gather more.
    socket?.cork();
    const isTaken = response.write(text);
    socket?.uncork();
    return isTaken ? null : response;
  }

  private framed(): string {
    const { text } = this;
    this.text = '';
    return this.isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text;
  }
}

/** Shared, as `nextTick` keeps its function until the turn ends. */
function flush(response: GatheredResponse): void {
  response.flush();
}
