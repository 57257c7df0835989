import { Injectable } from '@nestjs/common';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';

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
