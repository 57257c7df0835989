import { Injectable } from '@nestjs/common';
import type { LiveTarget } from '../../upstreams/target.types.js';
import type { Candidate } from './candidate.js';

/** The share of calls and conversations that measure the other targets. */
const EXPLORATION_SHARE = 0.05;
/** Targets within 10 % of each other count as equally fast, so that noise does not move conversations. */
const TIE_FACTOR = 1.1;
/** Higher than any priority. */
const NEXT_GROUP = 10_000;

export type Ordered = Pick<Candidate, 'target' | 'position'>;

/**
 * Orders targets by the recent median time to their first answer, and equally fast targets by priority. Targets without
 * measurements count as fast. `drawn`: a random number between 0 and 1.
 */
export function orderFastestFirst(
  candidates: readonly Ordered[],
  times: FirstAnswerTimes,
  isStreamed: boolean,
  drawn: number,
): void {
  if (candidates.length < 2) return;
  const measured = candidates
    .map((candidate) => ({ candidate, ms: times.median(candidate.target, isStreamed) ?? 0 }))
    .sort((one, other) => one.ms - other.ms);
  let group = 0;
  let fastest = measured.find(({ ms }) => ms > 0)?.ms ?? 0;
  for (const { candidate, ms } of measured) {
    if (ms > fastest * TIE_FACTOR) {
      group++;
      fastest = ms;
    }
    candidate.position = group * NEXT_GROUP + candidate.target.priority;
  }
  if (drawn < EXPLORATION_SHARE) orderOthersFirst(candidates);
}

function orderOthersFirst(candidates: readonly Ordered[]): void {
  const usual = Math.min(...candidates.map(({ position }) => position));
  for (const candidate of candidates) candidate.position = candidate.position === usual ? NEXT_GROUP : 0;
}

const REMEMBERED = 128;
const WINDOW_MS = 5 * 60_000;
/** With fewer measurements there is no median. */
const ENOUGH = 3;
const RENEWED_AFTER_MS = 1000;

class Times {
  private count = 0;
  private readonly ms = new Float64Array(REMEMBERED);
  private readonly at = new Float64Array(REMEMBERED);
  private median: number | null = null;
  private medianAt = Number.NEGATIVE_INFINITY;

  add(ms: number, now: number): void {
    const slot = this.count++ % REMEMBERED;
    this.ms[slot] = ms;
    this.at[slot] = now;
  }

  /** The median of the last minutes; if they have no answer, the last known median. */
  medianAsOf(now: number): number | null {
    if (this.count < ENOUGH) return null;
    if (now - this.medianAt < RENEWED_AFTER_MS) return this.median;
    const all = this.ms.subarray(0, this.count);
    const recent = all.filter((_, slot) => now - (this.at[slot] ?? 0) <= WINDOW_MS);
    if (recent.length > 0) this.median = middleOf(recent);
    else this.median ??= middleOf(all.slice());
    this.medianAt = now;
    return this.median;
  }
}

function middleOf(times: Float64Array): number | null {
  return times.sort()[Math.floor(times.length / 2)] ?? null;
}

/** Recent times to first answer: to the first token for streams, to the whole answer otherwise. */
@Injectable()
export class FirstAnswerTimes {
  /** By target id. */
  private readonly times = { streamed: new Map<string, Times>(), whole: new Map<string, Times>() };

  began(target: LiveTarget, isStreamed: boolean, ms: number): void {
    const times = isStreamed ? this.times.streamed : this.times.whole;
    const known = times.get(target.id) ?? new Times();
    times.set(target.id, known);
    known.add(ms, performance.now());
  }

  /** In ms; null: too few measurements. */
  median(target: LiveTarget, isStreamed: boolean): number | null {
    const times = isStreamed ? this.times.streamed : this.times.whole;
    return times.get(target.id)?.medianAsOf(performance.now()) ?? null;
  }
}
