const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const VALUE = 1;
const OPENING = 2;
const CLOSING = 3;
const STRING = 4;

/** What a byte outside strings stands for; each comma and each opening bracket counts as one value more. */
const KINDS = new Uint8Array(256);
for (const [text, kind] of [
  [',', VALUE],
  ['[{', OPENING],
  [']}', CLOSING],
  ['"', STRING],
] as const) {
  for (const byte of Buffer.from(text)) KINDS[byte] = kind;
}

/** A list or an object that stands in the outermost one, as a part of the text. */
export interface JsonPart {
  readonly from: number;
  readonly to: number;
  /** One for each list or object in it, itself included, and for each comma. */
  readonly values: number;
}

/** Shorter parts are not told. */
const LONG_PART = 16 * 1024;

/** Most strings are keys and words: it takes this many bytes until a search is quicker than looking at each. */
const SHORT = 24;
/** A string with more escaped quotes than this is looked at byte by byte to its end. */
const MAX_SEARCHES = 100;

/**
 * Counts the values and the depth of JSON text as its bytes come in, before anybody parses it: it is with these that a
 * parser's work and memory grow, far more than with the bytes. Strings are skipped: megabytes of base64 cost next to
 * nothing.
 */
export class JsonShape {
  private values = 0;
  private depth = 0;
  private isInString = false;
  /** The next byte, the first of the next piece, is no end of the string, whatever it is. */
  private isEscaped = false;
  /** What came before this piece. */
  private offset = 0;
  private partFrom = 0;
  private valuesBefore = 0;

  /** The long parts, once all of the text was admitted. */
  readonly parts: JsonPart[] = [];
  /** Members of the outermost object, of which some may have the same name. */
  members = 1;

  constructor(
    private readonly maxValues: number,
    private readonly maxDepth: number,
  ) {}

  /** Values so far. */
  get size(): number {
    return this.values;
  }

  /** Whether the text keeps within the bounds, the next piece of it included. */
  admits(piece: Uint8Array): boolean {
    const { length } = piece;
    let at = this.isInString ? this.skipString(piece, 0) : 0;
    for (;;) {
      let kind = 0;
      // A loop of its own: it runs several times faster than one that also counts.
      while (at < length && kind === 0) kind = KINDS[piece[at++] as number] as number;
      if (kind === 0) break;
      if (kind === STRING) at = this.skipString(piece, at);
      else if (kind === CLOSING) this.close(at);
      else if (!this.count(kind, at)) return false;
    }
    this.offset += length;
    return true;
  }

  /** `at`: behind the byte. */
  private count(kind: number, at: number): boolean {
    if (kind === OPENING) this.open(at);
    else if (this.depth === 1) this.members++;
    return ++this.values <= this.maxValues && this.depth <= this.maxDepth;
  }

  private open(at: number): void {
    if (++this.depth !== 2) return;
    this.partFrom = this.offset + at - 1;
    this.valuesBefore = this.values;
  }

  private close(at: number): void {
    if (--this.depth !== 1) return;
    const to = this.offset + at;
    if (to - this.partFrom < LONG_PART) return;
    this.parts.push({ from: this.partFrom, to, values: this.values - this.valuesBefore });
  }

  /** The index behind the string's end, or the piece's when the string goes on in the next. */
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

/** Whether the part of a string from `from` to `to` ends in a backslash that is not itself escaped. */
function endsInBackslash(piece: Uint8Array, from: number, to: number): boolean {
  let at = to;
  while (at > from && piece[at - 1] === BACKSLASH) at--;
  return (to - at) % 2 === 1;
}
