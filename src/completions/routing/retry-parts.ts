import { Injectable, Logger } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { AttemptService } from '../../upstreams/attempt.service.js';
import { CapacityService } from '../../upstreams/capacity.service.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { TargetHealthService } from '../../upstreams/target-health.service.js';
import { ServableTargets } from '../admission/servable-targets.service.js';
import { CacheKeys, MovedConversations } from './affinity.js';
import { FirstAnswerTimes } from './fastest.js';
import { LearnedTraitsService, RefusedParameters } from './refused-parameters.js';

@Injectable()
export class RetryBudget {
  private calls = 0;
  private retries = 0;

  constructor(@InjectSettings() private readonly settings: Settings) {}

  callBegins(): void {
    this.calls++;
  }

  callEnds(): void {
    this.calls--;
  }

  /** Takes a retry from the budget if there is room. Return it with `retryEnds`. */
  tryRetry(): boolean {
    const { budgetPercent, floor } = this.settings.retry;
    if (this.retries >= floor + (this.calls * budgetPercent) / 100) return false;
    this.retries++;
    return true;
  }

  retryEnds(): void {
    this.retries--;
  }
}

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

/** The services that retry loops use. */
@Injectable()
export class RetryParts {
  readonly logger = new Logger('Router');

  constructor(
    readonly attempts: AttemptService,
    readonly budget: RetryBudget,
    readonly refused: RefusedParameters,
    readonly learned: LearnedTraitsService,
    readonly health: TargetHealthService,
    readonly capacity: CapacityService,
    readonly targets: ServableTargets,
    readonly hedges: HedgeDelays,
    readonly times: FirstAnswerTimes,
    readonly moved: MovedConversations,
    readonly cacheKeys: CacheKeys,
    @InjectSettings() readonly settings: Settings,
  ) {}
}
