import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { OutageServingService } from '../../ledger/outage-serving.service.js';
import { UsageLedgerService } from '../../ledger/usage-ledger.service.js';
import { LimitsService } from '../../limits/limits.service.js';
import { CallMetricsService } from '../../telemetry/call-metrics.service.js';
import { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import { UnchargedCostsService } from '../../usage/uncharged-costs.service.js';
import { InternalQueue } from '../admission/overload/internal-queue.js';

const UNKNOWN_SPEED = 100;
/** Callers can slow answers down, for example by reading them slowly. */
const MIN_SPEED = 50;
/** Shorter answers say more about the time to their first token. */
const MIN_TOKENS = 200;
/** So that nobody determines a speed alone. */
const MIN_USERS = 3;
const MAX_USERS = 32;

/** Tokens per second of each model: the median of its users' last long answers in this process. */
@Injectable()
export class ModelSpeeds {
  private readonly models = new Map<string, LRUCache<string, number>>();

  /** `ms`: the time in which the answer's `tokens` were generated. */
  note(modelId: string, userId: string, tokens: number, ms: number): void {
    if (tokens < MIN_TOKENS || ms <= 0) return;
    let speeds = this.models.get(modelId);
    if (speeds === undefined) {
      speeds = new LRUCache({ max: MAX_USERS });
      this.models.set(modelId, speeds);
    }
    speeds.set(userId, tokens / (ms / 1000));
  }

  of(modelId: string): number {
    const speeds = [...(this.models.get(modelId)?.values() ?? [])].sort((one, other) => one - other);
    if (speeds.length < MIN_USERS) return UNKNOWN_SPEED;
    return Math.max(speeds[Math.floor(speeds.length / 2)] ?? 0, MIN_SPEED);
  }
}

/** The services that the rows of calls use. */
@Injectable()
export class RowParts {
  constructor(
    readonly ledger: UsageLedgerService,
    readonly tokens: TokenCounter,
    readonly metrics: CallMetricsService,
    readonly limits: LimitsService,
    readonly queue: InternalQueue,
    readonly speeds: ModelSpeeds,
    readonly serving: OutageServingService,
    readonly uncharged: UnchargedCostsService,
  ) {}
}
