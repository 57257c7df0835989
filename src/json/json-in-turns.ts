import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { JsonString } from './json-shape.js';

export type NextTurn = () => Promise<unknown>;

class Turns {
  private done = 0;

  constructor(private readonly next: NextTurn) {}

  /** Undefined: more can be done in this turn. */
  after(size: number): Promise<unknown> | undefined {
    this.done += size;
    if (this.done < CHUNK) return undefined;
    this.done = 0;
    return this.next();
  }
}

/** Above this size, parsing or writing JSON with long strings takes tens of milliseconds. */
export const LARGE_JSON = 4 * 1024 * 1024;

/** Replaces long strings while the surrounding JSON is parsed or written. It is secret, so clients cannot send it. */
const MARK = randomBytes(24).toString('base64url');

const LONG_STRING = 2 * 1024;
/** Bytes of strings per turn, which take a few milliseconds. */
const CHUNK = 1024 * 1024;

const BACKSLASH = 0x5c;
const NOT_PLAIN = /[^\x20-\x7f]/;

/**
 * `JSON.parse` for megabytes: reads the long strings piece by piece in separate turns. Rejects with a `SyntaxError` for
 * invalid JSON.
 */
export async function parseInTurns(bytes: Buffer, strings: readonly JsonString[], turn: NextTurn): Promise<unknown> {
  const rest: Buffer[] = [];
  let end = 0;
  for (const [index, { from, to }] of strings.entries()) {
    rest.push(bytes.subarray(end, from), Buffer.from(MARK + index));
    end = to;
  }
  rest.push(bytes.subarray(end));
  const text = withoutByteOrderMark(Buffer.concat(rest).toString());
  await turn();
  const value: unknown = JSON.parse(text);
  const texts: string[] = [];
  const turns = new Turns(turn);
  for (const { from, to } of strings) texts.push(await readString(bytes.subarray(from, to), turns));
  await turn();
  return restored(value, texts);
}

/** `JSON.stringify` for megabytes, as UTF-8: writes the long strings piece by piece in separate turns. */
export async function stringifyInTurns(value: object, turn: NextTurn): Promise<Buffer> {
  const strings: string[] = [];
  const text = JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one !== 'string' || one.length < LONG_STRING) return one;
    strings.push(one);
    return MARK;
  });
  await turn();
  const pieces: Buffer[] = [];
  const turns = new Turns(turn);
  for (const [index, part] of text.split(MARK).entries()) {
    pieces.push(Buffer.from(part));
    const string = strings[index];
    if (string !== undefined) await writeString(string, pieces, turns);
  }
  await turn();
  return Buffer.concat(pieces);
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

async function readString(part: Buffer, turns: Turns): Promise<string> {
  if (isAscii(part) && !part.includes(BACKSLASH)) return readPlain(part, turns);
  let text = '';
  for (let at = 0; at < part.length; ) {
    const end = safeEnd(part, at, Math.min(at + CHUNK, part.length));
    text += JSON.parse(`"${part.toString('utf8', at, end)}"`);
    await turns.after(end - at);
    at = end;
  }
  return text;
}

/** For strings without escapes, mostly base64. */
async function readPlain(part: Buffer, turns: Turns): Promise<string> {
  const text = part.toString('latin1');
  for (let at = 0; at < text.length; at += CHUNK) {
    const piece = text.slice(at, at + CHUNK);
    if (NOT_PLAIN.test(piece)) throw new SyntaxError('a control character within a string');
    await turns.after(piece.length / 4);
  }
  return text;
}

/** The first position from `end` that is not within a character or an escape. */
function safeEnd(part: Buffer, start: number, end: number): number {
  let at = end;
  for (let before = end - 1; before >= Math.max(start, end - 5); before--) {
    if (part[before] !== BACKSLASH) continue;
    let first = before;
    while (first > start && part[first - 1] === BACKSLASH) first--;
    const isEscape = (before - first) % 2 === 0;
    if (isEscape) at = Math.max(end, before + (part[before + 1] === 0x75 ? 6 : 2));
    break;
  }
  while (at < part.length && ((part[at] as number) & 0xc0) === 0x80) at++;
  return Math.min(at, part.length);
}

function restored(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? texts[Number(value.slice(MARK.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const before = holder[name];
    const after = restored(before, texts);
    if (after !== before) holder[name] = after;
  }
  return value;
}

async function writeString(text: string, pieces: Buffer[], turns: Turns): Promise<void> {
  for (let at = 0; at < text.length; ) {
    const middle = Math.min(at + CHUNK, text.length);
    const end = isHighSurrogate(text.charCodeAt(middle - 1)) ? middle + 1 : middle;
    pieces.push(Buffer.from(JSON.stringify(text.slice(at, end)).slice(1, -1)));
    await turns.after(end - at);
    at = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
