import type { Writable } from 'node:stream';
import type { Response } from 'express';

const LAST_CHUNK = '0\r\n\r\n';

export interface Reader {
  fellBehind(): void;
  caughtUp(): void;
}

/**
 * Gathers the writes of one turn of the event loop, so that the events of one upstream read are sent together. Frames
 * transfer chunks itself, as Node splits each into several pieces, and writes directly to the socket after the head.
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
    // HTTP/1.0 clients do not support chunked encoding.
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

  /** Returns the stream whose buffer is full, if any. */
  private send(text: string): Writable | null {
    const { response } = this;
    const { socket } = response;
    // If there is no socket, an earlier answer is still being sent.
    if (this.isHeadSent && socket?.writable) return socket.write(text) ? null : socket;
    this.isHeadSent = true;
    // Node would delay the write by a turn to gather more.
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

/** A shared function, as `nextTick` keeps its function in memory until the turn ends. */
function flush(response: GatheredResponse): void {
  response.flush();
}
