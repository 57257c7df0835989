import { Injectable } from '@nestjs/common';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';

/** The number of answers remembered for each target, and the minimum for a percentile. */
const REMEMBERED = 128;
const ENOUGH = 20;

/** How long to wait for a target's first answer before a second target is tried. */
@Injectable()
export class HedgeDelays {
  private readonly times = new WeakMap<LiveTarget, { count: number; ms: Float64Array }>();

  began(target: LiveTarget, ms: number): void {
    const times = this.times.get(target) ?? { count: 0, ms: new Float64Array(REMEMBERED) };
    times.ms[times.count++ % REMEMBERED] = ms;
    this.times.set(target, times);
  }

  /** In ms; null: too few answers so far. */
  of(after: number | 'p95' | null, target: LiveTarget): number | null {
    if (after !== 'p95') return after;
    const { count, ms } = this.times.get(target) ?? { count: 0, ms: new Float64Array() };
    if (count < ENOUGH) return null;
    const sorted = ms.slice(0, Math.min(count, REMEMBERED)).sort();
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }
}
