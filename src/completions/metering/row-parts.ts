import { Injectable } from '@nestjs/common';
import { OutageServingService } from '../../ledger/outage-serving.service.js';
import { UsageLedgerService } from '../../ledger/usage-ledger.service.js';
import { LimitsService } from '../../limits/limits.service.js';
import { CallMetricsService } from '../../telemetry/metrics/call-metrics.service.js';
import { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import { UnchargedCostsService } from '../../usage/uncharged/uncharged-costs.service.js';
import { OwnQueue } from '../overload/own-queue.js';
import { ModelSpeeds } from './model-speeds.js';

/** The services that the rows of calls use. */
@Injectable()
export class RowParts {
  constructor(
    readonly ledger: UsageLedgerService,
    readonly tokens: TokenCounter,
    readonly metrics: CallMetricsService,
    readonly limits: LimitsService,
    readonly queue: OwnQueue,
    readonly speeds: ModelSpeeds,
    readonly serving: OutageServingService,
    readonly uncharged: UnchargedCostsService,
  ) {}
}
