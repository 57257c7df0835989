import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib';
import { requestTooLarge, unreadableBody, unsupportedMediaType } from './gateway.errors.js';

/** How a body may be compressed. */
const DECODERS = new Map([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The bytes of a request's body, decompressed. Rejects as soon as there are more than `limit`, without waiting for the
 * rest: Node reads that away once the request is answered.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > limit;
    return isTooLarge ? Promise.reject(requestTooLarge(limit)) : collect(request, request, limit);
  }
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) return Promise.reject(unsupportedMediaType());
  return collect(request, request.pipe(decoder), limit).finally(() => {
    request.unpipe(decoder);
    decoder.destroy();
    request.resume();
  });
}

/** The request may break off while `body`, what becomes of it, only waits. */
function collect(request: IncomingMessage, body: Readable, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) {
      body.off('data', onData);
      reject(requestTooLarge(limit));
    } else chunks.push(chunk);
  };
  body.on('data', onData);
  body.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
  body.once('error', () => reject(unreadableBody()));
  request.once('close', () => {
    if (!request.complete) reject(unreadableBody());
  });
  return promise;
}
