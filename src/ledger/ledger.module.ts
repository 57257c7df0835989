import { Module } from '@nestjs/common';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { FutureBalancesService } from './future-balances.service.js';
import { InstanceLeaseService, InstanceService } from './instance.service.js';
import { JournalService } from './journal/journal.service.js';
import { OutageServingService } from './outage-serving.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';
import { UsageMovesService, UsagePartitionsService } from './usage-partitions.service.js';

/**
 * The write side of the ledger: one row per call, and the balances of limits. Used by gateways, not by the command
 * line.
 */
@Module({
  imports: [MetricsModule],
  providers: [
    FutureBalancesService,
    InstanceService,
    InstanceLeaseService,
    JournalService,
    OutageServingService,
    UsageLedgerService,
    UsageMovesService,
    UsagePartitionsService,
  ],
  exports: [InstanceService, OutageServingService, UsageLedgerService, UsageMovesService, UsagePartitionsService],
})
export class LedgerModule {}
