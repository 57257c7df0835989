import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import type { GatewayError } from '../../common/gateway.error.js';
import { requestTooLarge, tooCompressed, unreadableBody, unsupportedMediaType } from '../../common/gateway.errors.js';
import { BodyTurns } from './body-turns.js';

/** How a body may be compressed. */
const DECODERS = new Map([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Text of one's own seldom shrinks to a tenth; what shrinks further is made to be small on the way and large here. */
const MAX_RATIO = 100;
const FREE_OF_RATIO = 1024 * 1024;
/** How much is decompressed at once: each piece is looked at before the next is made. */
const PIECE = 64 * 1024;

const NOTHING = Buffer.alloc(0);

const turns = new BodyTurns();

/** What a body must keep to; it is refused as soon as it does not. */
export interface BodyRules {
  /** Bytes, decompressed. */
  readonly limit: number;
  /** Looks at each piece, decompressed, as it comes. */
  refusal?(piece: Buffer): GatewayError | null;
}

/**
 * The bytes of a request's body, decompressed; at once where it has come whole and as it is. Throws or rejects as soon as a
 * rule is broken, without waiting for the rest: Node reads that away once the request is answered.
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
    const isBomb = size > FREE_OF_RATIO && size > decoder.bytesWritten * MAX_RATIO;
    return isBomb ? tooCompressed(MAX_RATIO) : (rules.refusal?.(piece) ?? null);
  };
  return collect(request, request.pipe(decoder), { ...rules, refusal }).finally(() => {
    request.unpipe(decoder);
    decoder.destroy();
    request.resume();
  });
}

/** A body that has come whole, as most small ones have together with their head: nothing is waited for. */
function takeWhole(request: IncomingMessage, { refusal }: BodyRules): Buffer {
  // Without a size it gives the first piece, where a body came in several.
  const body: Buffer = request.read(request.readableLength) ?? NOTHING;
  request.resume();
  const error = refusal?.(body);
  if (error) throw error;
  return body;
}

/** The request may break off while `body`, what becomes of it, only waits. */
function collect(request: IncomingMessage, body: Readable, { limit, refusal }: BodyRules): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let size = 0;
  const refuse = (error: GatewayError): void => {
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
  body.once('end', () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size)));
  body.once('error', () => refuse(unreadableBody()));
  request.once('close', () => {
    if (!request.complete) refuse(unreadableBody());
  });
  return promise;
}
