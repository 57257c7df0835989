import { randomInt } from 'node:crypto';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

const VALUE = 1;
const OPENING = 2;
const CLOSING = 3;
const STRING = 4;

const KINDS = new Uint8Array(256);
for (const [text, kind] of [
  [',', VALUE],
  ['[{', OPENING],
  [']}', CLOSING],
  ['"', STRING],
] as const) {
  for (const byte of Buffer.from(text)) KINDS[byte] = kind;
}

/** A list or object inside the outermost one, as a part of the text. */
export interface JsonPart {
  readonly from: number;
  readonly to: number;
  /** One for each list, object and comma in it, including itself. */
  readonly values: number;
}

/** A long string value: the bytes between its quotes. */
export interface JsonString {
  readonly from: number;
  readonly to: number;
}

const LONG_PART = 16 * 1024;
const LONG_STRING = 2 * 1024;

/** From this length on, searching is faster than checking each byte. Most strings are shorter. */
const SHORT = 24;
/** After this many escaped quotes, the rest of a string is checked byte by byte. */
const MAX_SEARCHES = 100;

/**
 * Measures JSON text while its bytes arrive, before it is parsed, as a parser's time and memory depend far more on
 * values and names than on bytes. Skips strings, so that megabytes of base64 cost almost nothing.
 */
export class JsonShape {
  private depth = 0;
  private isInString = false;
  /** The first byte of the next piece is escaped. */
  private isEscaped = false;
  private offset = 0;
  private partFrom = 0;
  private valuesBefore = 0;
  private stringFrom = 0;
  private stringTo = 0;
  private inLong = 0;
  /** The hash of the current string, while names are counted. */
  private stringHash = HASH_OF_NOTHING;
  /** A string has ended, and the next piece shows whether it is a name. */
  private isUndecided = false;
  private readonly layouts = new ObjectLayouts();

  /** The first bound that the text exceeds. */
  broken: keyof JsonBounds | null = null;
  readonly parts: JsonPart[] = [];
  readonly strings: JsonString[] = [];
  /** Lists, objects and commas. */
  size = 0;
  /** Members of the outermost object, including duplicate names. */
  members = 1;

  /** Parts of at least `partBytes` are kept. */
  constructor(
    private readonly bounds: JsonBounds,
    private readonly partBytes = LONG_PART,
  ) {}

  admits(piece: Uint8Array): boolean {
    const { length } = piece;
    if (this.isUndecided) this.decide(piece, 0);
    let at = this.isInString ? this.readString(piece, 0) : 0;
    for (;;) {
      let kind = 0;
      // A separate loop runs several times faster.
      while (at < length && kind === 0) kind = KINDS[piece[at++] as number] as number;
      if (kind === 0) break;
      if (kind === STRING) at = this.beginString(piece, at);
      else if (kind === CLOSING) this.close(at);
      else this.count(kind, at);
      if (this.broken !== null) return false;
    }
    this.offset += length;
    // A long string is only counted once it is known whether it is a value.
    const read = this.isInString || this.isUndecided ? this.stringFrom : this.offset;
    if (read - this.inLong > this.bounds.shortBytes) this.broken = 'shortBytes';
    return this.broken === null;
  }

  /** `at`: the index after the byte. */
  private count(kind: number, at: number): void {
    if (++this.size > this.bounds.values) this.broken = 'values';
    if (kind === OPENING) this.open(at);
    else if (this.depth === 1 && ++this.members > this.bounds.fields) this.broken = 'fields';
  }

  private open(at: number): void {
    if (++this.depth > this.bounds.depth) this.broken = 'depth';
    this.layouts.enter(this.depth);
    if (this.depth !== 2) return;
    this.partFrom = this.offset + at - 1;
    this.valuesBefore = this.size - 1;
  }

  private close(at: number): void {
    if (--this.depth !== 1) return;
    const to = this.offset + at;
    if (to - this.partFrom < this.partBytes) return;
    this.parts.push({ from: this.partFrom, to, values: this.size - this.valuesBefore });
  }

  private beginString(piece: Uint8Array, at: number): number {
    this.stringFrom = this.offset + at;
    this.stringHash = HASH_OF_NOTHING;
    return this.readString(piece, at);
  }

  /** Returns the index after the end of the string or piece. */
  private readString(piece: Uint8Array, from: number): number {
    const at = this.skipString(piece, from);
    if (this.layouts.isCounting) this.stringHash = hashOfBytes(piece, from, at, this.stringHash);
    if (!this.isInString) {
      this.stringTo = this.offset + at - 1;
      this.decide(piece, at);
    }
    return at;
  }

  /** A string followed by a colon is a name. */
  private decide(piece: Uint8Array, from: number): void {
    const { length } = piece;
    let at = from;
    while (at < length && (piece[at] as number) <= SPACE) at++;
    this.isUndecided = at === length;
    if (this.isUndecided) return;
    if (piece[at] === COLON) this.endName();
    else this.endText();
  }

  private endText(): void {
    const { stringFrom: from, stringTo: to } = this;
    if (to - from < LONG_STRING) return;
    this.strings.push({ from, to });
    this.inLong += to - from;
  }

  private endName(): void {
    const { bounds, layouts } = this;
    layouts.add(this.depth, this.stringHash);
    if (layouts.count > bounds.layouts) this.broken = 'layouts';
    if (this.stringTo - this.stringFrom > bounds.nameLength) this.broken = 'nameLength';
  }

  /** Returns the index after the end of the string, or the piece's length when the string continues. */
  private skipString(piece: Uint8Array, from: number): number {
    const { length } = piece;
    let at = this.isEscaped ? from + 1 : from;
    let nearby = Math.min(at + SHORT, length);
    for (let searches = 0; ; searches++) {
      while (at < nearby) {
        const byte = piece[at];
        if (byte === QUOTE) return this.leaveString(at + 1);
        at += byte === BACKSLASH ? 2 : 1;
      }
      if (at >= length) return this.stayInString(length, at > length);
      const quote = piece.indexOf(QUOTE, at);
      const isEscaped = endsInBackslash(piece, at, quote < 0 ? length : quote);
      if (quote < 0) return this.stayInString(length, isEscaped);
      if (!isEscaped) return this.leaveString(quote + 1);
      at = quote + 1;
      if (searches === MAX_SEARCHES) nearby = length;
    }
  }

  private leaveString(at: number): number {
    this.isInString = false;
    this.isEscaped = false;
    return at;
  }

  private stayInString(at: number, isEscaped: boolean): number {
    this.isInString = true;
    this.isEscaped = isEscaped;
    return at;
  }
}

function endsInBackslash(piece: Uint8Array, from: number, to: number): boolean {
  let at = to;
  while (at > from && piece[at - 1] === BACKSLASH) at--;
  return (to - at) % 2 === 1;
}

/** Counting starts after this many names, as most bodies have fewer, whose layouts are cheap. */
const FREE_NAMES = 10_000;

/** Random, so that clients cannot construct collisions. */
const SEED = randomInt(2 ** 31);
const FACTOR = randomInt(2 ** 30) * 2 + 1;

const SLOT_BITS = 18;

/**
 * Counts the object layouts that a parser creates for JSON text. V8 creates a hidden class for each name in a new
 * order, which takes a microsecond: a hundred times the cost of a known order.
 */
class ObjectLayouts {
  private names = 0;
  private known: Uint8Array | null = null;
  /** By depth: a hash of the names in the open object. */
  private readonly open: number[] = [];

  /** At least `FREE_NAMES` once counting starts. */
  count = 0;

  enter(depth: number): void {
    if (this.known) this.open[depth] = SEED;
  }

  get isCounting(): boolean {
    return this.known !== null;
  }

  add(depth: number, hash: number): void {
    if (this.known === null) {
      if (++this.names < FREE_NAMES) return;
      this.count = FREE_NAMES;
      this.known = new Uint8Array(2 ** (SLOT_BITS - 3));
      return;
    }
    const state = mixed(this.open[depth] ?? SEED, hash ^ (hash >>> 15));
    this.open[depth] = state;
    const slot = mixed(state, SEED) >>> (32 - SLOT_BITS);
    const bit = 1 << (slot & 7);
    const seen = this.known[slot >>> 3] as number;
    if ((seen & bit) !== 0) return;
    this.known[slot >>> 3] = seen | bit;
    this.count++;
  }
}

const HASH_OF_NOTHING = SEED;

function hashOfBytes(bytes: Uint8Array, from: number, to: number, before: number): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), FACTOR);
  return hash;
}

function mixed(one: number, other: number): number {
  const product = Math.imul(one ^ (one >>> 16) ^ other, FACTOR);
  return Math.imul(product ^ (product >>> 13), FACTOR);
}

/** Limits of the JSON of one body. */
export interface JsonBounds {
  /** Lists, objects and commas: a fast upper limit of the number of values. */
  readonly values: number;
  /** Nested lists and objects. */
  readonly depth: number;
  /** Fields of the outermost object. */
  readonly fields: number;
  /** Names in an order not seen before; the parser creates an object layout for each. */
  readonly layouts: number;
  readonly nameLength: number;
  /** Bytes outside strings of 2 kB or more. */
  readonly shortBytes: number;
}

/**
 * About ten times the largest real requests: 1,000 messages with 24 tools have 9,000 values, 128 tools with 2,400
 * distinct parameters have 13,000 values and 2,600 layouts, and no client sends more than 20 fields.
 *
 * A body within these limits blocks the event loop for less than 50 ms at a time, as
 * `test/system/loop-turns.system-spec.ts` measures.
 */
export const BODY_BOUNDS: JsonBounds = {
  values: 100_000,
  depth: 1000,
  fields: 500,
  layouts: 25_000,
  nameLength: 64 * 1024,
  shortBytes: 8 * 1024 * 1024,
};
