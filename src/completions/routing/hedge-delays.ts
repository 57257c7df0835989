import { Injectable } from '@nestjs/common';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';

/** How many of a target's last answers are remembered, and how many it takes to know what is usual. */
const REMEMBERED = 128;
const ENOUGH = 20;

/** After how long a second target is asked, too, while the first is silent. */
@Injectable()
export class HedgeDelays {
  /** ms until each of the last answers began, the oldest being overwritten. */
  private readonly times = new WeakMap<LiveTarget, { count: number; ms: Float64Array }>();

  began(target: LiveTarget, ms: number): void {
    const times = this.times.get(target) ?? { count: 0, ms: new Float64Array(REMEMBERED) };
    times.ms[times.count++ % REMEMBERED] = ms;
    this.times.set(target, times);
  }

  /** In ms; null: what is usual is not known yet. */
  of(after: number | 'p95' | null, target: LiveTarget): number | null {
    if (after !== 'p95') return after;
    const { count, ms } = this.times.get(target) ?? { count: 0, ms: new Float64Array() };
    if (count < ENOUGH) return null;
    const sorted = ms.slice(0, Math.min(count, REMEMBERED)).sort();
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }
}
