/** A request to the scripted upstream. Times are `performance.now()` instants. */
export class ReceivedRequest {
  readonly receivedAt = performance.now();
  /** Set if the client disconnected before the script ended. */
  abortedAt?: number;
  /** Resolves if the client disconnects before the script ends. */
  readonly aborted: Promise<void>;
  private resolveAborted: () => void;

  constructor(
    readonly method: string,
    readonly path: string,
    /** Lower-case names; repeated headers are joined by a comma. */
    readonly headers: Readonly<Record<string, string>>,
    readonly rawBody: Buffer,
    /** Numbers the upstream's connections from 0: equal numbers mean a reused connection. */
    readonly connection: number,
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.aborted = promise;
    this.resolveAborted = resolve;
  }

  get body(): string {
    return this.rawBody.toString();
  }

  json(): unknown {
    return JSON.parse(this.body);
  }

  markAborted(): void {
    this.abortedAt ??= performance.now();
    this.resolveAborted();
  }
}

/** Splits a connection's data into requests. */
export class RequestReader {
  private parts: Buffer[] = [];
  private size = 0;
  private required = 1;

  constructor(
    private readonly connection: number,
    private readonly onRequest: (request: ReceivedRequest) => void,
  ) {}

  push(data: Buffer): void {
    this.parts.push(data);
    this.size += data.length;
    while (this.size >= this.required) this.read(Buffer.concat(this.parts));
  }

  private read(buffer: Buffer): void {
    const top = buffer.indexOf('\r\n\r\n');
    if (top < 0) {
      this.keep(buffer, buffer.length + 1);
      return;
    }
    const [requestLine = '', ...lines] = buffer.toString('latin1', 0, top).split('\r\n');
    const headers = toHeaders(lines);
    const bodyAt = top + 4;
    const body = /chunked/i.test(headers['transfer-encoding'] ?? '')
      ? readChunked(buffer, bodyAt)
      : readSized(buffer, bodyAt, Number(headers['content-length'] ?? 0));
    if ('required' in body) {
      this.keep(buffer, body.required);
      return;
    }
    this.keep(buffer.subarray(body.end), 1);
    const [method = '', path = ''] = requestLine.split(' ');
    this.onRequest(new ReceivedRequest(method, path, headers, body.content, this.connection));
  }

  private keep(buffer: Buffer, required: number): void {
    this.parts = [buffer];
    this.size = buffer.length;
    this.required = required;
  }
}

type Body = { content: Buffer; end: number } | { required: number };

function readSized(buffer: Buffer, start: number, length: number): Body {
  const end = start + length;
  return buffer.length < end ? { required: end } : { content: buffer.subarray(start, end), end };
}

function readChunked(buffer: Buffer, start: number): Body {
  const pieces: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = buffer.indexOf('\r\n', at);
    if (lineEnd < 0) return { required: buffer.length + 1 };
    const length = Number.parseInt(buffer.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + length;
    if (buffer.length < end + 2) return { required: end + 2 };
    if (length === 0) return { content: Buffer.concat(pieces), end: end + 2 };
    pieces.push(buffer.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

function toHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
