/** A match in a text, in UTF-16 units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** What it is, for messages: `an AWS access key`. */
  readonly kind: string;
}

/** Finds one kind of text. Pure, and linear in the length of the text. */
export interface Detector {
  /** As in gateway.yaml and in placeholders: `payment_card` → `[PAYMENT_CARD_1]`. */
  readonly name: string;
  /** In characters; a longer match is found by its first `longest` characters. */
  readonly longest: number;
  /** Each match has one of these characters, so that texts without them need no search; undefined: none is sure. */
  readonly needs?: string;
  /** In ascending order, without overlaps. */
  find(text: string): readonly Match[];
  /**
   * Where a match may begin whose end has not come yet; the text's length if nowhere. `isQuiet`: no text came for a
   * while, so only a match that has clearly begun counts.
   */
  openFrom(text: string, isQuiet: boolean): number;
}

interface RegexOptions {
  readonly longest: number;
  readonly needs: string;
  /** Confirms a candidate, for example by its checksum. */
  readonly accepts?: (candidate: string, text: string, start: number) => boolean;
  /** A character that a match may contain; ASCII. */
  readonly character: RegExp;
  /** The end of a text can be the beginning of a match if it has one of these; ASCII. */
  readonly beginning: RegExp;
  /** Whether it clearly is one. */
  readonly hasBegun: (end: string) => boolean;
}

/** `expression`: global, with bounded repetitions, and never matching an empty text. */
export function regexDetector(name: string, kind: string, expression: RegExp, options: RegexOptions): Detector {
  const { longest, needs, accepts, hasBegun } = options;
  const characters = asciiSet(options.character);
  const beginnings = asciiSet(options.beginning);
  return {
    name,
    longest,
    needs,
    find(text) {
      const matches: Match[] = [];
      expression.lastIndex = 0;
      for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
        const [candidate] = found;
        const start = found.index;
        if (!accepts || accepts(candidate, text, start)) matches.push({ start, end: start + candidate.length, kind });
        // A shorter candidate may begin within the refused one.
        else expression.lastIndex = start + 1;
      }
      return matches;
    },
    openFrom(text, isQuiet) {
      const start = startOfEnd(text, longest, characters);
      const isOpen = countFrom(text, start, beginnings) > 0 && (!isQuiet || hasBegun(text.slice(start)));
      return isOpen ? start : text.length;
    },
  };
}

/** Whether a character of ASCII is one of them, by its code. */
export type AsciiSet = Uint8Array;

export function asciiSet(expression: RegExp): AsciiSet {
  return Uint8Array.from({ length: 128 }, (_, code) => (expression.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Where the characters of this set begin at a text's end, of which it looks at `longest`. `others`: whether all others count. */
export function startOfEnd(text: string, longest: number, characters: AsciiSet, others = false): number {
  const first = Math.max(0, text.length - longest);
  let start = text.length;
  for (; start > first; start--) {
    const code = text.charCodeAt(start - 1);
    if (code < 128 ? characters[code] !== 1 : !others) break;
  }
  return start;
}

/** How many of these characters a text has from `start` on. */
export function countFrom(text: string, start: number, characters: AsciiSet): number {
  let count = 0;
  for (let at = start; at < text.length; at++) count += characters[text.charCodeAt(at)] ?? 0;
  return count;
}

/** In ascending order; matches that overlap become one, the first of them, that covers them all: nothing of them is left. */
export function withoutOverlaps<T extends Match>(matches: readonly T[]): readonly T[] {
  if (matches.length < 2) return matches;
  const merged: T[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) addMerged(merged, match);
  return merged;
}

/** Adds the next match to matches without overlaps. */
export function addMerged<T extends Match>(merged: T[], match: T): void {
  const last = merged.at(-1);
  if (!last || match.start >= last.end) merged.push(match);
  else if (match.end > last.end) merged[merged.length - 1] = { ...last, end: match.end };
}

/** The order of matches: of two that begin together, the longer one comes first. */
export function isBefore(one: Match, other: Match): boolean {
  return one.start < other.start || (one.start === other.start && one.end >= other.end);
}
