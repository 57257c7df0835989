import { createHash, hash as hashOf } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError, invalidRequest } from '../../common/gateway.error.js';

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
  // Chat completions were once the only API: their stored hashes are of the request alone.
  const head = api === 'chat.completions' ? '' : `${api}\n`;
  const short = shortJson(request, PIECE);
  if (short !== null) return hashOf('sha256', head + short, 'buffer');
  const hash = createHash('sha256');
  let pending = head;
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

export function answerNotStored(): GatewayError {
  const message =
    'The request with this Idempotency-Key was answered, but the answer was too large to store. ' +
    'Send a new key to have it answered and charged again.';
  return refusal(409, 'idempotency_answer_not_kept', message, { 'x-should-retry': 'false' });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError(status, { message, type: 'invalid_request_error', param: null, code }, headers);
}

/** Long strings are written in pieces of this many units. */
const STRING_PIECE = 128 * 1024;
/** Objects list integer keys first, in numeric order. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 2 ** 32 - 2;

/** Writes a parsed JSON value in pieces. Equal values have the same text, independent of the order of their keys. */
export function* canonicalJson(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value);
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* listPieces(value);
  else yield* objectPieces(value as Readonly<Record<string, unknown>>);
}

const MOST_NAMES = 100;

/** The canonical JSON of values of up to so many characters, which takes a third of the time; null: it is longer. */
function shortJson(value: unknown, left: number): string | null {
  if (typeof value === 'string') return value.length > left ? null : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  const isList = Array.isArray(value);
  const names = isList ? null : Object.keys(value);
  if (names !== null && names.length > MOST_NAMES) return null;
  let text = '';
  for (const key of names === null ? (value as unknown[]).keys() : sortedNames(value)) {
    const item = shortJson((value as Record<string | number, unknown>)[key], left - text.length);
    if (item === null) return null;
    const name = names === null ? '' : `${JSON.stringify(key)}:`;
    text += `${text === '' ? '' : ','}${name}${item}`;
    if (text.length > left) return null;
  }
  return isList ? `[${text}]` : `{${text}}`;
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [index, item] of list.entries()) {
    if (index > 0) yield ',';
    yield* canonicalJson(item);
  }
  yield ']';
}

function* objectPieces(object: Readonly<Record<string, unknown>>): Generator<string> {
  yield '{';
  let isFirst = true;
  for (const name of sortedNames(object)) {
    yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
    isFirst = false;
    yield* canonicalJson(object[name]);
  }
  yield '}';
}

function* stringPieces(text: string): Generator<string> {
  if (text.length <= STRING_PIECE) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + STRING_PIECE);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, to: number): number {
  const isBetween = to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00;
  return isBetween ? to - 1 : to;
}

/** Integer keys by number, then the others by UTF-16 units. */
function sortedNames(object: object): string[] {
  const names = Object.keys(object).sort();
  if (!names.some(isIndex)) return names;
  const indexes = names.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  return [...indexes, ...names.filter((name) => !isIndex(name))];
}

function isIndex(name: string): boolean {
  return name.charCodeAt(0) < 0x3a && INDEX.test(name) && Number(name) <= MAX_INDEX;
}
