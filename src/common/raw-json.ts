import { isUtf8 } from 'node:buffer';
import type { JsonPart, JsonShape } from './json-shape.js';

interface RawJson {
  readonly bytes: Buffer;
  readonly values: number;
  /** It is frozen, and says what the bytes say. */
  isSealed: boolean;
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
    const raw: RawJson = { bytes: bytes.subarray(part.from, part.to), values: part.values, isSealed: false };
    Object.defineProperty(value, RAW, { value: raw });
  }
}

/**
 * Freezes the long lists and objects of a checked body, all that is in them included: from here on nothing can change
 * that its bytes would not tell.
 *
 * Their bytes tell something else where a name stands twice in them, since not everybody takes the last one; where a
 * check has taken a null out; and where they are no UTF-8.
 */
export function sealRawJson(body: Readonly<Record<string, unknown>>): void {
  for (const name in body) {
    const raw = noted(body[name]);
    if (raw) raw.isSealed = frozenValues(body[name] as object) === raw.values && isUtf8(raw.bytes);
  }
}

/** The bytes that a sealed list or object came as, if they tell whoever reads them the same as it does. */
export function rawJsonOf(value: unknown): Buffer | undefined {
  const raw = noted(value);
  return raw?.isSealed ? raw.bytes : undefined;
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
  const inner: readonly unknown[] = Array.isArray(holder) ? holder : Object.values(holder);
  let values = Math.max(inner.length, 1);
  for (const one of inner) if (typeof one === 'object' && one !== null) values += frozenValues(one);
  Object.freeze(holder);
  return values;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
