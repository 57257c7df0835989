import type { Response } from 'express';

const LAST_CHUNK = '0\r\n\r\n';

/**
 * Gathers what is written in one turn of the loop and sends it with one write: the events of one read of the upstream
 * leave together. It writes the transfer chunks itself, since Node makes three pieces of each, and a vector of them.
 */
export class GatheredResponse {
  private text = '';
  private isChunked = false;

  /** `onFull`: the client reads more slowly than this is written. */
  constructor(
    private readonly response: Response,
    private readonly onFull: () => void,
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
    const { socket } = this.response;
    const text = this.framed();
    // Node would hold it back for another turn, in case that more comes.
    socket?.cork();
    const isTaken = this.response.write(text);
    socket?.uncork();
    if (!isTaken) this.onFull();
  }

  end(last: string, onSent?: () => void): void {
    this.text += last;
    this.response.end(this.isChunked ? this.framed() + LAST_CHUNK : this.framed(), onSent);
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
