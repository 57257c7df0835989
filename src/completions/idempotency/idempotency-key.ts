import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError, invalidRequest } from '../../common/gateway.error.js';
import { canonicalJson } from './canonical-json.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The header `Idempotency-Key`; throws a 400 for an invalid one. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && PRINTABLE.test(header)) return header;
  const message = 'The header Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.';
  throw invalidRequest('invalid_value', null, message);
}

/** Characters hashed in one turn of the event loop, which takes a few milliseconds. */
const TURN = 512 * 1024;
const PIECE = 16 * 1024;

/** The same for equal JSON values sent to the same API, independent of white space and the order of fields. */
export async function hashOfRequest(api: string, request: unknown): Promise<Buffer> {
  const hash = createHash('sha256');
  // Chat completions were once the only API: their stored hashes are of the request alone.
  if (api !== 'chat.completions') hash.update(`${api}\n`);
  let pending = '';
  let done = 0;
  for (const piece of canonicalJson(request)) {
    pending += piece;
    if (pending.length < PIECE) continue;
    hash.update(pending);
    done += pending.length;
    pending = '';
    if (done < TURN) continue;
    done = 0;
    await nextTurn();
  }
  return hash.update(pending).digest();
}

export function idempotencyInProgress(): GatewayError {
  const message = 'A request with this Idempotency-Key is still in progress. Please try again when it has ended.';
  return refusal(409, 'idempotency_in_progress', message, { 'retry-after': '1', 'retry-after-ms': '1000' });
}

export function idempotencyKeyReused(): GatewayError {
  const message = 'This Idempotency-Key was used with a different request. Use a new key for each new request.';
  return refusal(422, 'idempotency_key_reused', message);
}

export function answerNotKept(): GatewayError {
  const message =
    'The request with this Idempotency-Key was answered, but the answer was too large to store. ' +
    'Send a new key to have it answered and charged again.';
  return refusal(409, 'idempotency_answer_not_kept', message, { 'x-should-retry': 'false' });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError(status, { message, type: 'invalid_request_error', param: null, code }, headers);
}
