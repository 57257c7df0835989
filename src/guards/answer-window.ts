import type { CallGuards } from './call-guards.js';
import { withoutOverlaps } from './detection/detector.js';
import type { Finding, Guard, GuardAction } from './guard.js';

/** What may leave of one text of an answer, and whether a guard ends it there. */
export interface Released {
  readonly text: string;
  readonly blockedBy: Guard | null;
}

interface GuardFinding extends Finding {
  readonly guard: Guard;
}

const NOTHING: Released = { text: '', blockedBy: null };

/** A match that goes on is held no longer than this; what comes after is checked as another text. */
const MAX_PENDING = 8192;
const CONTEXT = 128;

/**
 * One text of a streamed answer on its way through the guards that check at once: a text leaves when no match and no
 * placeholder can begin in its end. Synchronous; the clock is the caller's.
 */
export class AnswerWindow {
  /** The end of what has left, so that a match is seen with what stands before it. */
  private context = '';
  private pending = '';

  private readonly strings: JsonStrings | null;

  /** `isJson`: the text is JSON, and stays valid. */
  constructor(
    private readonly guards: readonly Guard[],
    private readonly call: Pick<CallGuards, 'count' | 'masks'>,
    isJson = false,
  ) {
    this.strings = isJson ? new JsonStrings() : null;
  }

  get isEmpty(): boolean {
    return this.pending === '';
  }

  push(text: string): Released {
    this.pending += text;
    return this.release(false, false);
  }

  /** No text came for a while: what has not clearly begun a match leaves. */
  quiet(): Released {
    return this.pending === '' ? NOTHING : this.release(true, false);
  }

  /** The text has ended with `last`. */
  end(last = ''): Released {
    this.pending += last;
    return this.pending === '' ? NOTHING : this.release(true, true);
  }

  private release(isQuiet: boolean, isEnd: boolean): Released {
    const text = this.context + this.pending;
    const before = this.context.length;
    let open = isEnd ? text.length : this.call.masks.openFrom(text);
    let found: GuardFinding[] | null = null;
    for (const guard of this.guards) {
      if (guard.stream.kind !== 'immediate') continue;
      if (!isEnd) open = Math.min(open, guard.stream.openFrom(text, isQuiet));
      for (const finding of guard.stream.find(text)) {
        if (finding.end <= before) continue;
        found ??= [];
        found.push({ ...finding, guard });
      }
    }
    open = this.call.masks.outside(text, open);
    if (found === null) {
      const until = Math.max(before, open);
      const out = text.slice(before, until);
      this.strings?.see(out);
      return this.leave(out, text, until);
    }
    const changes = strongestOf(found.filter((finding) => actionOf(finding) !== 'report'));
    const last = changes.at(-1);
    // A match that reaches the end may go on.
    const goesOn = !isEnd && last?.end === text.length && text.length - last.start < MAX_PENDING;
    if (goesOn) open = Math.min(open, last.start);
    let until = Math.max(before, open);
    const cut = changes.find(({ start, end }) => start < until && end > until);
    if (cut) until = Math.max(before, cut.start);
    let out = '';
    let at = before;
    for (const finding of changes) {
      const action = actionOf(finding);
      if (action !== 'block' && finding.end > until) break;
      const unchanged = text.slice(at, Math.max(at, finding.start));
      out += unchanged;
      this.call.count(finding.guard, finding.name, action, 'answer');
      if (action === 'block') {
        this.report(found, finding.start);
        this.pending = '';
        return { text: out, blockedBy: finding.guard };
      }
      const value = text.slice(finding.start, finding.end);
      const masked = finding.replacement ?? this.call.masks.placeholderOf(finding.name, value, false);
      out += this.strings ? this.strings.write(masked, unchanged) : masked;
      at = finding.end;
    }
    until = Math.max(at, until);
    this.report(found, until);
    const rest = text.slice(at, until);
    this.strings?.see(rest);
    return this.leave(out + rest, text, until);
  }

  /** Counts what is only reported in the text that leaves; what goes on after it is counted when it has left. */
  private report(found: readonly GuardFinding[], until: number): void {
    for (const finding of found) {
      if (actionOf(finding) === 'report' && finding.end <= until) {
        this.call.count(finding.guard, finding.name, 'report', 'answer');
      }
    }
  }

  private leave(out: string, text: string, until: number): Released {
    this.context = text.slice(Math.max(0, until - CONTEXT), until);
    this.pending = text.slice(until);
    return { text: out, blockedBy: null };
  }
}

const actionOf = ({ action, guard }: GuardFinding): GuardAction => action ?? guard.action;

/** Findings of several guards that overlap become one: what one of them blocks is blocked, and all of it is masked. */
function strongestOf(found: readonly GuardFinding[]): readonly GuardFinding[] {
  const isBlock = (finding: GuardFinding): boolean => actionOf(finding) === 'block';
  return withoutOverlaps(found).map((merged) => {
    const blocking = found.find((one) => isBlock(one) && one.start < merged.end && one.end > merged.start);
    return blocking ? { ...blocking, start: merged.start, end: merged.end } : merged;
  });
}

/** Follows JSON text, to know where a string is. */
class JsonStrings {
  private isInside = false;
  private isEscaped = false;

  see(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const unit = text[at];
      if (this.isEscaped) this.isEscaped = false;
      else if (unit === '"') this.isInside = !this.isInside;
      else if (unit === '\\' && this.isInside) this.isEscaped = true;
    }
  }

  /** `text` as it stands after `before`: what replaces a number becomes a string. */
  write(text: string, before: string): string {
    this.see(before);
    const json = JSON.stringify(text);
    return this.isInside ? json.slice(1, -1) : json;
  }
}
