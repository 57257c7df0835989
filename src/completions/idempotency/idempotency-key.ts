import { createHash } from 'node:crypto';
import { GatewayError, invalidRequest } from '../../common/gateway.error.js';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The caller's name for a request, from the header `Idempotency-Key`; throws a 400 for one that cannot be one. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && PRINTABLE.test(header)) return header;
  const message = 'The header Idempotency-Key must be 1 to 255 printable ASCII characters, such as a UUID.';
  throw invalidRequest('invalid_value', null, message);
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Equal for equal JSON values, in whatever order their fields and with whatever blanks they were sent. */
export function hashOfRequest(request: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(request, sorted)).digest();
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function idempotencyInProgress(): GatewayError {
  const message = 'A request with this Idempotency-Key is still being answered. Please try again when it has ended.';
  return refusal(409, 'idempotency_in_progress', message, { 'retry-after': '1', 'retry-after-ms': '1000' });
}

export function idempotencyKeyReused(): GatewayError {
  const message = 'This Idempotency-Key was used with another request. Send a new key with each new request.';
  return refusal(422, 'idempotency_key_reused', message);
}

export function answerNotKept(): GatewayError {
  const message =
    'The request with this Idempotency-Key was answered, and the answer was too large to be kept. ' +
    'Send a new key to have it answered, and charged, once more.';
  return refusal(409, 'idempotency_answer_not_kept', message, { 'x-should-retry': 'false' });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError(status, { message, type: 'invalid_request_error', param: null, code }, headers);
}
