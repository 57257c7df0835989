import { isUtf8 } from 'node:buffer';
import type { JsonPart, JsonShape } from './json-shape.js';

interface RawJson {
  readonly bytes: Buffer;
  readonly values: number;
  /** Whether it says what the bytes say, and always will; null: nobody has looked yet. */
  isSealed: boolean | null;
}

/**
 * Where a value holds its own, out of sight of whoever lists or copies it. A `WeakMap` would keep the bytes of each body
 * until the next collection of the whole heap, since a young one takes what such a map holds for alive.
 */
const RAW = Symbol('raw JSON');
type Noted = { readonly [RAW]?: RawJson };

/** Notes, for the long lists and objects of a parsed body, the bytes that they were parsed from. */
export function noteRawJson(body: unknown, bytes: Buffer, { parts, members }: JsonShape): void {
  // Of two members with one name the parser takes the last one.
  if (parts.length === 0 || !isObject(body) || Array.isArray(body) || Object.keys(body).length !== members) return;
  for (const part of parts) {
    const value = body[nameBefore(bytes, part)];
    if (!isObject(value)) continue;
    const raw: RawJson = { bytes: bytes.subarray(part.from, part.to), values: part.values, isSealed: null };
    Object.defineProperty(value, RAW, { value: raw });
  }
}

/**
 * Freezes the long lists and objects of a request, all that is in them included: an edit in place, which the bytes would
 * not tell of, fails from here on.
 *
 * The bytes tell something else where a name stands twice in them, since not everybody takes the last one; where the
 * request's check has taken a null out; and where they are no UTF-8.
 */
export function sealRawJson(request: Readonly<Record<string, unknown>>): void {
  for (const name in request) {
    const raw = noted(request[name]);
    if (raw) raw.isSealed ??= frozenValues(request[name] as object) === raw.values && isUtf8(raw.bytes);
  }
}

/** The bytes that a sealed list or object came as, if they tell whoever reads them the same as it does. */
export function rawJsonOf(value: unknown): Buffer | undefined {
  const raw = noted(value);
  return raw?.isSealed === true ? raw.bytes : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The name of the member whose value the part is: a quote in it follows a backslash, and the one that opens it does not. */
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

/** Freezes the value; its values are counted as `JsonShape` does: fewer than in the text where that has a name twice. */
function frozenValues(holder: object): number {
  let values = 0;
  let members = 0;
  if (Array.isArray(holder)) {
    members = holder.length;
    for (const one of holder) if (typeof one === 'object' && one !== null) values += frozenValues(one);
  } else {
    // Without a list of its values, this takes a quarter of the time.
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
