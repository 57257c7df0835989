import type { Writable } from 'node:stream';
import type { Response } from 'express';

const LAST_CHUNK = '0\r\n\r\n';

/** Who is told how the client reads. */
export interface Reader {
  /** More slowly than this is written. */
  fellBehind(): void;
  /** It has taken everything. */
  caughtUp(): void;
}

/**
 * Gathers what is written in one turn of the loop and sends it with one write: the events of one read of the upstream
 * leave together. It writes the transfer chunks itself, since Node makes three pieces of each, and a vector of them; and,
 * once the head is out, straight to the socket.
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
    // Not so for a client of HTTP/1.0.
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

  /** What is full now, if anything is. */
  private send(text: string): Writable | null {
    const { response } = this;
    const { socket } = response;
    // Without a socket an earlier answer is still on its way.
    if (this.isHeadSent && socket?.writable) return socket.write(text) ? null : socket;
    this.isHeadSent = true;
    // Node would hold it back for another turn, in case that more comes.
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

/** One function for all: what `nextTick` is given lives until the turn ends. */
function flush(response: GatheredResponse): void {
  response.flush();
}
