import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflate, createUnzip, createZstdDecompress } from 'node:zlib';
import {
  bodyTooSlow,
  type GatewayError,
  overloaded,
  requestTooLarge,
  tooCompressed,
  tooManyBodyBytes,
  unreadableBody,
  unsupportedMediaType,
} from '../../common/gateway.error.js';

/**
 * Decompresses bodies one piece at a time, in turns of the event loop. Otherwise fifty concurrent bodies would use all
 * processors and delay other requests.
 */
class BodyTurns {
  private readonly waiting: Readable[] = [];

  next(body: Readable): void {
    body.pause();
    this.waiting.push(body);
    if (this.waiting.length === 1) setImmediate(() => this.goOn());
  }

  private goOn(): void {
    this.waiting.shift()?.resume();
    if (this.waiting.length > 0) setImmediate(() => this.goOn());
  }
}

/** The longest window that HTTP allows, 8 MB (RFC 9659); a longer one could take gigabytes of memory. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

type Decoder = Transform & { readonly bytesWritten: number };

const DECODERS = new Map<string, (options: { readonly chunkSize: number }) => Decoder>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', (options) => createZstdDecompress({ ...options, ...ZSTD })],
]);

/** Real text is rarely compressed to less than a tenth; higher ratios suggest a decompression bomb. */
const MAX_RATIO = 100;
const RATIO_EXEMPT_BYTES = 1024 * 1024;
const PIECE = 64 * 1024;

/** A body has 30 seconds, and one more for each 100 kB. */
const PATIENCE_MS = 30_000;
const BYTES_PER_MS = 100;

const turns = new BodyTurns();

/** A body that breaks a rule is refused immediately. */
export interface BodyRules {
  /** Bytes, decompressed. */
  readonly limit: number;
  /** Checks each decompressed piece. */
  refusal?(piece: Buffer): GatewayError | null;
}

/**
 * The decompressed bytes of a request's body; not a promise if the body has arrived completely and is not compressed.
 * Throws or rejects as soon as a rule is broken. Node discards the rest once the request is answered.
 */
export function readBody(request: IncomingMessage, rules: BodyRules): Buffer | Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') {
    const length = Number(request.headers['content-length'] ?? Number.NaN);
    if (length > rules.limit) return Promise.reject(requestTooLarge(rules.limit));
    return length === request.readableLength ? takeWhole(request, rules) : collect(request, request, rules);
  }
  const decoder = DECODERS.get(encoding)?.({ chunkSize: PIECE });
  if (!decoder) return Promise.reject(unsupportedMediaType());
  let size = 0;
  turns.next(decoder);
  decoder.on('data', () => turns.next(decoder));
  const refusal = (piece: Buffer): GatewayError | null => {
    size += piece.length;
    const isBomb = size > RATIO_EXEMPT_BYTES && size > decoder.bytesWritten * MAX_RATIO;
    return isBomb ? tooCompressed(MAX_RATIO) : (rules.refusal?.(piece) ?? null);
  };
  return collect(request, request.pipe(decoder), { ...rules, refusal }).finally(() => {
    request.unpipe(decoder);
    decoder.destroy();
    request.resume();
  });
}

/** For bodies that arrived completely with their head, like most small ones. */
function takeWhole(request: IncomingMessage, { refusal }: BodyRules): Buffer {
  // Without a size, `read` returns only the first piece.
  const body: Buffer = request.read(request.readableLength) ?? Buffer.alloc(0);
  request.resume();
  const error = refusal?.(body);
  if (error) throw error;
  return body;
}

/** Also watches `request`, as `body` does not notice if the request is aborted. */
function collect(request: IncomingMessage, body: Readable, { limit, refusal }: BodyRules): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let size = 0;
  const startedMs = performance.now();
  let timer = setTimeout(() => checkPace(), PATIENCE_MS);
  /** Bodies that stop would hold their memory until the whole request's time is up. */
  const checkPace = (): void => {
    const left = startedMs + PATIENCE_MS + size / BYTES_PER_MS - performance.now();
    if (left <= 0) refuse(bodyTooSlow());
    else timer = setTimeout(() => checkPace(), Math.ceil(left));
  };
  const refuse = (error: GatewayError): void => {
    clearTimeout(timer);
    body.off('data', onData);
    pieces.length = 0;
    reject(error);
  };
  const onData = (piece: Buffer): void => {
    size += piece.length;
    const error = size > limit ? requestTooLarge(limit) : refusal?.(piece);
    if (error) refuse(error);
    else pieces.push(piece);
  };
  body.on('data', onData);
  body.once('end', () => {
    clearTimeout(timer);
    resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size));
  });
  body.once('error', () => refuse(unreadableBody()));
  request.once('close', () => {
    if (!request.complete) refuse(unreadableBody());
  });
  return promise;
}

/**
 * Limits the bytes of request bodies in memory, from their arrival to the end of their answer. The bodies of one owner
 * (a project, or a user with all its other keys) may use half; the only body of an owner may use all.
 */
export class BodyBudget {
  shed = 0;
  private reserved = 0;
  private readonly bytesByOwner = new Map<string, number>();

  constructor(readonly limit: number) {}

  /** `own`: bytes that the body already uses. Null: there is room for `bytes` more. */
  refusal(ownerId: string, own: number, bytes: number): GatewayError | null {
    const share = this.limit / 2;
    const ofOwner = this.bytesByOwner.get(ownerId) ?? 0;
    if (ofOwner > own && ofOwner + bytes > share) return tooManyBodyBytes(share);
    if (this.reserved + bytes <= this.limit) return null;
    this.shed++;
    return overloaded();
  }

  /** Negative `bytes` are released. */
  hold(ownerId: string, bytes: number): void {
    this.reserved += bytes;
    const ofOwner = (this.bytesByOwner.get(ownerId) ?? 0) + bytes;
    if (ofOwner > 0) this.bytesByOwner.set(ownerId, ofOwner);
    else this.bytesByOwner.delete(ownerId);
  }
}

export class BufferedBody {
  /** In bytes. Only `take` and `release` change it. */
  size = 0;
  /** Of its JSON, as far as they were counted. */
  values = 0;
  private isOver = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly ownerId: string,
  ) {}

  /** The reason why the bytes cannot be taken; checked before a body is read. */
  refusal(bytes: number): GatewayError | null {
    return this.budget.refusal(this.ownerId, this.size, bytes);
  }

  /** Takes the bytes, or returns the reason why it cannot. */
  take(bytes: number): GatewayError | null {
    const refusal = this.isOver ? unreadableBody() : this.refusal(bytes);
    if (refusal) return refusal;
    this.budget.hold(this.ownerId, bytes);
    this.size += bytes;
    return null;
  }

  /** Call it when the request has ended. Later bytes of its body are refused. */
  release(): void {
    this.budget.hold(this.ownerId, -this.size);
    this.size = 0;
    this.isOver = true;
  }
}
