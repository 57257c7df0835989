import { RE2JS } from 're2js';
import type { GuardSettings } from '../../config/guard.settings.js';
import type { Finding, Guard, GuardAction, GuardSide, GuardStream, TextFindings } from '../guard.js';
import { inTurns, Turns, type Work } from '../turns.js';
import { addMerged, type Detector, isBefore, type Match, withoutOverlaps } from './detector.js';
import { DETECTORS } from './detectors.js';
import { LongSearch, SearchTime } from './long-search.js';

/** Patterns are found by their first 256 characters in streams. */
const LONGEST_PATTERN = 256;

/** Texts are searched at once up to this length, and longer ones in turns of the event loop. */
const SHORT = 8 * 1024;
/** The same for patterns, of which a character can take some microseconds. */
const SHORT_FOR_PATTERNS = 2 * 1024;

const NOTHING: TextFindings = [];

export type TextGuardSettings = Omit<GuardSettings, 'secret' | 'line' | 'webhook' | 'presidio' | 'moderation'>;

/** Finds built-in kinds, patterns and words. Short texts are searched at once; long ones in turns. */
export class TextGuard implements Guard {
  readonly action: GuardAction;
  readonly sides: ReadonlySet<GuardSide>;
  readonly restores: boolean;
  readonly refusesMedia: boolean;
  readonly stream: GuardStream;
  private readonly detectors: readonly Detector[];
  /** What all texts with a match have; null: not known. */
  private readonly needed: RegExp | null;
  private readonly searches: readonly LongSearch[];
  private readonly short: number;

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
    this.short = Object.keys(settings.patterns).length > 0 ? SHORT_FOR_PATTERNS : SHORT;
    const needs = this.detectors.map(({ needs: own }) => own);
    this.needed = needs.includes(undefined) ? null : new RegExp(`[${needs.join('')}]`);
    this.searches = this.detectors.map((detector) => new LongSearch(detector));
    this.stream = {
      kind: 'immediate',
      find: (text) => this.find(text),
      openFrom: (text, isQuiet) => {
        let open = text.length;
        for (const detector of this.detectors) open = Math.min(open, detector.openFrom(text, isQuiet));
        return open;
      },
    };
  }

  check(texts: readonly string[]): Promise<readonly TextFindings[]> | readonly TextFindings[] {
    let length = 0;
    for (const text of texts) length += text.length;
    return length <= this.short
      ? texts.map((text) => this.find(text))
      : this.checkInTurns(texts, new SearchTime(length));
  }

  private find(text: string): TextFindings {
    if (text.length === 0 || this.needed?.test(text) === false) return NOTHING;
    const [first, ...others] = this.detectors;
    const found = findingsOf(first as Detector, text);
    if (others.length === 0) return found;
    const all = [...found];
    for (const detector of others) all.push(...findingsOf(detector, text));
    return withoutOverlaps(all);
  }

  private async checkInTurns(texts: readonly string[], time: SearchTime): Promise<readonly TextFindings[]> {
    const findings: TextFindings[] = [];
    const turns = new Turns();
    for (const text of texts) {
      if (text.length > this.short) findings.push(await this.findInTurns(text, turns, time));
      else {
        const began = performance.now();
        findings.push(this.find(text));
        time.spend(performance.now() - began);
        const isOver = turns.after(text.length);
        if (isOver) await isOver;
      }
    }
    return findings;
  }

  private async findInTurns(text: string, turns: Turns, time: SearchTime): Promise<TextFindings> {
    const lists: TextFindings[] = [];
    for (const searched of this.searches) {
      const { name } = searched.detector;
      const found: Finding[] = [];
      for (const matches of searched.pieces(text, time)) {
        for (const { start, end, kind } of matches) addMerged(found, { start, end, kind, name });
        const isOver = turns.after(searched.size);
        if (isOver) await isOver;
      }
      if (found.length > 0) lists.push(found);
    }
    return lists.length < 2 ? (lists[0] ?? []) : inTurns(joined(lists, turns));
  }
}

/** Findings of several detectors as one list, without overlaps. */
function* joined(lists: readonly TextFindings[], turns: Turns): Work<TextFindings> {
  const all: Finding[] = [];
  const next = lists.map(() => 0);
  for (;;) {
    let first: Finding | null = null;
    let from = 0;
    for (const [index, list] of lists.entries()) {
      const finding = list[next[index] as number];
      if (!finding || (first !== null && !isBefore(finding, first))) continue;
      first = finding;
      from = index;
    }
    if (first === null) return all;
    next[from] = (next[from] as number) + 1;
    addMerged(all, first);
    const isOver = turns.after(0);
    if (isOver) yield isOver;
  }
}

function findingsOf({ name, find }: Detector, text: string): Finding[] {
  return find(text).map(({ start, end, kind }) => ({ start, end, name, kind }));
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
