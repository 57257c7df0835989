import { isUtf8 } from 'node:buffer';
import type { JsonPart, JsonShape } from './json-shape.js';

interface RawJson {
  readonly bytes: Buffer;
  readonly values: number;
  /** Whether the frozen value equals its bytes; null: not checked yet. */
  isSealed: boolean | null;
}

/**
 * Stores the bytes on the value, hidden from enumeration and copying. A `WeakMap` would keep the bytes of each body
 * until the next full garbage collection, because minor collections treat its entries as live.
 */
const RAW = Symbol('raw JSON');
type Noted = { readonly [RAW]?: RawJson };

export function noteRawJson(body: unknown, bytes: Buffer, { parts, members }: JsonShape): void {
  // Of two members with the same name, the parser keeps the last one.
  if (parts.length === 0 || !isObject(body) || Array.isArray(body) || Object.keys(body).length !== members) return;
  for (const part of parts) {
    const value = body[nameBefore(bytes, part)];
    if (!isObject(value)) continue;
    const raw: RawJson = { bytes: bytes.subarray(part.from, part.to), values: part.values, isSealed: null };
    Object.defineProperty(value, RAW, { value: raw });
  }
}

/**
 * Deep-freezes the long lists and objects of a request, so that later edits in place fail instead of getting lost.
 *
 * The bytes are not used if they contain a name twice (not every parser keeps the last one), if the request's checks
 * removed a null, or if they are not UTF-8.
 */
export function sealRawJson(request: Readonly<Record<string, unknown>>): void {
  for (const name in request) {
    const raw = noted(request[name]);
    if (raw) raw.isSealed ??= frozenValues(request[name] as object) === raw.values && isUtf8(raw.bytes);
  }
}

/** The original bytes of a sealed list or object, if they are equivalent to it. */
export function rawJsonOf(value: unknown): Buffer | undefined {
  const raw = noted(value);
  return raw?.isSealed === true ? raw.bytes : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The name of the member whose value is the part. Its opening quote has no backslash before it. */
function nameBefore(bytes: Buffer, { from }: JsonPart): string {
  let at = from - 1;
  while (bytes[at] === COLON || (bytes[at] as number) <= SPACE) at--;
  let start = at;
  do start = bytes.lastIndexOf(QUOTE, start - 1);
  while (bytes[start - 1] === BACKSLASH);
  return JSON.parse(bytes.toString('utf8', start, at + 1));
}

function noted(value: unknown): RawJson | undefined {
  return isObject(value) ? (value as Noted)[RAW] : undefined;
}

/** Freezes the value and counts values like `JsonShape`. The count is lower if the text has duplicate names. */
function frozenValues(holder: object): number {
  // A number that is too long for a double (see exact-json.ts) is an object here, but counts as a single value.
  if (JSON.isRawJSON(holder)) return 0;
  let values = 0;
  let members = 0;
  if (Array.isArray(holder)) {
    members = holder.length;
    for (const one of holder) if (typeof one === 'object' && one !== null) values += frozenValues(one);
  } else {
    // Takes a quarter of the time of `Object.values`.
    for (const name in holder) {
      members++;
      const one: unknown = holder[name as keyof typeof holder];
      if (typeof one === 'object' && one !== null) values += frozenValues(one);
    }
  }
  Object.freeze(holder);
  return values + Math.max(members, 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
