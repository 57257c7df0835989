const CRLF_LENGTH = 2;

/** Parses an HTTP/1.1 response as it arrives: the head, then the body's bytes without chunk framing. */
export class HttpAnswer {
  /** 0 until the head has arrived. */
  status = 0;
  isWhole = false;
  readonly #onBody: (data: Buffer) => void;
  #pending: Buffer | undefined;
  #isChunked = false;
  #isLastChunk = false;
  /** Remaining bytes of the body, or of the current chunk and its CRLF. */
  #left = 0;

  /** `onBody` gets the body in arbitrary pieces. */
  constructor(onBody: (data: Buffer) => void) {
    this.#onBody = onBody;
  }

  /** @throws if the bytes are not an HTTP response of known length. */
  push(data: Buffer): void {
    const received = this.#pending ? Buffer.concat([this.#pending, data]) : data;
    this.#pending = undefined;
    if (this.status > 0) this.#readBody(received);
    else this.#readHead(received);
  }

  #readHead(data: Buffer): void {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0) {
      this.#pending = data;
      return;
    }
    const head = data.toString('latin1', 0, end).toLowerCase();
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    if (!head.startsWith('http/1.1 ') || (length === undefined && !this.#isChunked)) throw new Error(`head: ${head}`);
    this.status = Number(head.slice(9, 12));
    this.#left = Number(length ?? 0);
    this.#readBody(data.subarray(end + 4));
  }

  #readBody(data: Buffer): void {
    if (this.isWhole) throw new Error('bytes after the end of the answer');
    if (this.#isChunked) this.#readChunks(data);
    else {
      this.#onBody(data);
      this.#left -= data.length;
      this.isWhole = this.#left <= 0;
    }
  }

  #readChunks(data: Buffer): void {
    let at = 0;
    while (at < data.length) {
      const next = this.#left > 0 ? this.#readChunkPart(data, at) : this.#readChunkSize(data, at);
      if (next === at) break;
      at = next;
    }
    if (at < data.length) this.#pending = data.subarray(at);
  }

  /** Where the chunk begins, or `at` while the line is incomplete. */
  #readChunkSize(data: Buffer, at: number): number {
    const end = data.indexOf('\r\n', at);
    if (end < 0) return at;
    const size = Number.parseInt(data.toString('latin1', at, end), 16);
    if (Number.isNaN(size) || this.isWhole) throw new Error('missing chunk size');
    this.#isLastChunk = size === 0;
    this.#left = size + CRLF_LENGTH;
    return end + CRLF_LENGTH;
  }

  #readChunkPart(data: Buffer, at: number): number {
    const taken = Math.min(this.#left, data.length - at);
    const body = Math.min(taken, this.#left - CRLF_LENGTH);
    if (body > 0) this.#onBody(data.subarray(at, at + body));
    this.#left -= taken;
    this.isWhole = this.#isLastChunk && this.#left === 0;
    return at + taken;
  }
}
