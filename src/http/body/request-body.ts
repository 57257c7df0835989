import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import type { GatewayError } from '../../common/gateway.error.js';
import { requestTooLarge, tooCompressed, unreadableBody, unsupportedMediaType } from '../../common/gateway.errors.js';
import { BodyTurns } from './body-turns.js';

const DECODERS = new Map([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Real text is rarely compressed to less than a tenth; higher ratios suggest a decompression bomb. */
const MAX_RATIO = 100;
const FREE_OF_RATIO = 1024 * 1024;
const PIECE = 64 * 1024;

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
    const isBomb = size > FREE_OF_RATIO && size > decoder.bytesWritten * MAX_RATIO;
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
