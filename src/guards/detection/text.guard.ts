import { RE2JS } from 're2js';
import type { GuardSettings } from '../../config/guard.settings.js';
import type { Finding, Guard, GuardAction, GuardSide, GuardStream, TextFindings } from '../guard.js';
import { Turns } from '../turns.js';
import { addMerged, type Detector, type Match, withoutOverlaps } from './detector.js';
import { DETECTORS } from './detectors.js';

/** Patterns are found by their first 256 characters in streams. */
const LONGEST_PATTERN = 256;

/** Texts are searched at once up to this length, and longer ones in slices, with turns of the event loop between them. */
const SHORT = 8 * 1024;
const SLICE = 32 * 1024;

export type TextGuardSettings = Omit<GuardSettings, 'secret' | 'line' | 'webhook' | 'presidio' | 'moderation'>;

/** Finds built-in kinds, patterns and words. Short texts are searched at once; long ones in turns. */
export class TextGuard implements Guard {
  readonly action: GuardAction;
  readonly sides: ReadonlySet<GuardSide>;
  readonly restores: boolean;
  readonly refusesMedia: boolean;
  readonly stream: GuardStream;
  private readonly detectors: readonly Detector[];

  readonly name: string;

  constructor(settings: TextGuardSettings) {
    this.name = settings.name;
    this.action = settings.do;
    this.sides = new Set(settings.on);
    this.restores = settings.restore;
    this.refusesMedia = settings.media === 'refuse';
    this.detectors = [
      ...settings.detect.map((detector) => DETECTORS[detector]),
      ...Object.entries(settings.patterns).map(([pattern, source]) => patternDetector(pattern, RE2JS.compile(source))),
      ...Object.entries(settings.words).map(([list, words]) => wordsDetector(list, words)),
    ];
    this.stream = {
      kind: 'immediate',
      find: (text) => this.find(text),
      openFrom: (text, isQuiet) =>
        Math.min(text.length, ...this.detectors.map((detector) => detector.openFrom(text, isQuiet))),
    };
  }

  check(texts: readonly string[]): Promise<readonly TextFindings[]> | readonly TextFindings[] {
    let length = 0;
    for (const text of texts) length += text.length;
    return length <= SHORT ? texts.map((text) => this.find(text)) : this.checkInTurns(texts);
  }

  private find(text: string): TextFindings {
    if (text.length === 0) return [];
    const [first, ...others] = this.detectors;
    const found = findingsOf(first as Detector, text);
    if (others.length === 0) return found;
    const all = [...found];
    for (const detector of others) all.push(...findingsOf(detector, text));
    return withoutOverlaps(all);
  }

  private async checkInTurns(texts: readonly string[]): Promise<readonly TextFindings[]> {
    const findings: TextFindings[] = [];
    const turns = new Turns();
    for (const text of texts) {
      const all: Finding[] = [];
      for (const slice of slicesOf(text)) {
        const own: Finding[] = [];
        for (const detector of this.detectors) {
          const { name } = detector;
          for (const { start, end, kind } of detector.find(slice.text)) {
            const at = start + slice.from;
            if (at >= slice.first && at < slice.last) own.push({ start: at, end: end + slice.from, name, kind });
          }
          const isOver = turns.after(slice.text.length);
          if (isOver) await isOver;
        }
        for (const finding of withoutOverlaps(own)) addMerged(all, finding);
      }
      findings.push(all);
    }
    return findings;
  }
}

function findingsOf({ name, find }: Detector, text: string): Finding[] {
  return find(text).map(({ start, end, kind }) => ({ start, end, name, kind }));
}

/** A match counts in the slice in whose middle it begins, so that it is seen with what stands around it. */
const BEFORE = 512;
const AFTER = 4 * 1024;

interface Slice {
  readonly from: number;
  readonly text: string;
  /** The positions in the whole text between which matches of this slice begin. */
  readonly first: number;
  readonly last: number;
}

function* slicesOf(text: string): Iterable<Slice> {
  for (let from = 0; ; from += SLICE - BEFORE - AFTER) {
    const isLast = from + SLICE >= text.length;
    const first = from === 0 ? 0 : from + BEFORE;
    yield { from, text: text.slice(from, from + SLICE), first, last: isLast ? text.length : from + SLICE - AFTER };
    if (isLast) return;
  }
}

function patternDetector(name: string, expression: RE2JS, kind = name): Detector {
  return {
    name,
    longest: LONGEST_PATTERN,
    find(text) {
      const matcher = expression.matcher(text);
      const matches: Match[] = [];
      while (matcher.find()) {
        if (matcher.end() > matcher.start()) matches.push({ start: matcher.start(), end: matcher.end(), kind });
      }
      return matches;
    },
    openFrom: (text, isQuiet) => (isQuiet ? text.length : Math.max(0, text.length - LONGEST_PATTERN)),
  };
}

/** Whole words: a word of the list that begins or ends with a letter or digit does not match within another word. */
function wordsDetector(name: string, words: readonly string[]): Detector {
  const longest = Math.max(...words.map((word) => word.length)) + 1;
  const alternatives = words.toSorted((a, b) => b.length - a.length).map((word) => RE2JS.quote(word));
  const expression = RE2JS.compile(`(?i)(?:${alternatives.join('|')})`);
  const { find } = patternDetector(name, expression, `a word of the list ${name}`);
  return {
    name,
    longest,
    find: (text) => find(text).filter(({ start, end }) => isWholeWord(text, start, end)),
    openFrom: (text, isQuiet) => (isQuiet ? text.length : Math.max(0, text.length - longest)),
  };
}

const WORD = /[\p{L}\p{N}_]/u;

function isWholeWord(text: string, start: number, end: number): boolean {
  const begins = WORD.test(text[start] as string) && WORD.test(text[start - 1] ?? ' ');
  const ends = WORD.test(text[end - 1] as string) && WORD.test(text[end] ?? ' ');
  return !begins && !ends;
}
