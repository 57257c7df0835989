import type { Detector, Match } from './detector.js';

/** The size of a piece, at most, or more where matches are long. In longer ones, re2js needs twice the time a match. */
const PIECE = 8 * 1024;
const SLOW_MS = 4;
const FAST_MS = 1;

/** What stands before a match, and matters to it. */
const BEFORE = 256;

/** What a guard may search in one check, in milliseconds, and more for each character of the texts. */
const LIMIT_MS = 1000;
const LIMIT_MS_A_CHARACTER = 0.001;

/** The time that the searches of one check take, apart from waiting: patterns that repeat large groups can be slow. */
export class SearchTime {
  private leftMs: number;

  constructor(characters: number) {
    this.leftMs = LIMIT_MS + characters * LIMIT_MS_A_CHARACTER;
  }

  /** `ms`: what another search took. @throws if all together took too long. */
  spend(ms: number): void {
    this.leftMs -= ms;
    if (this.leftMs < 0) throw new Error('The search took too long. Simplify the patterns of this guard.');
  }
}

/** Searches long texts piece by piece, with the same result as at once. */
export class LongSearch {
  private readonly smallest: number;
  private readonly largest: number;
  /** It follows from the time that the detector needs for a piece. */
  size: number;
  private readonly after: number;

  constructor(readonly detector: Detector) {
    this.after = 4 * detector.longest;
    this.smallest = 2 * (BEFORE + this.after);
    this.largest = Math.max(PIECE, 2 * this.smallest);
    this.size = this.smallest;
  }

  /** The matches of each piece, in ascending order; each piece takes a few milliseconds. @throws if `time` is over. */
  *pieces(text: string, time: SearchTime): Iterable<readonly Match[]> {
    let from = 0;
    let again = -1;
    for (;;) {
      const size = from <= again ? this.largest : this.size;
      const piece = text.slice(from, from + size);
      const isLast = from + size >= text.length;
      // Matches count in the piece in whose middle they begin, so that they are seen with what stands around them.
      const first = from === 0 ? 0 : BEFORE;
      let last = isLast ? piece.length : piece.length - this.after;
      const found = this.timed(piece, time).filter(({ start }) => start >= first && start < last);
      const tail = found.at(-1);
      // One that may go on is looked at again, with more text after it.
      if (!isLast && tail && tail.end === piece.length && from + tail.start !== again) {
        found.pop();
        last = tail.start;
        again = from + tail.start;
      }
      yield found.map(({ start, end, kind }) => ({ start: start + from, end: end + from, kind }));
      if (isLast) return;
      from = Math.max(0, from + last - BEFORE);
    }
  }

  private timed(piece: string, time: SearchTime): readonly Match[] {
    const began = performance.now();
    const found = this.detector.find(piece);
    const ms = performance.now() - began;
    time.spend(ms);
    if (ms > SLOW_MS) this.size = Math.max(this.smallest, this.size >> 1);
    else if (ms < FAST_MS) this.size = Math.min(this.largest, this.size * 2);
    return found;
  }
}
