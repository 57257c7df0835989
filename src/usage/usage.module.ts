import { Module } from '@nestjs/common';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { BalanceBasesService } from './ledger/balance-bases.service.js';
import { FutureBalancesService } from './ledger/future-balances.service.js';
import { InstanceService } from './ledger/instance.service.js';
import { InstanceLeaseService } from './ledger/instance-lease.service.js';
import { JournalService } from './ledger/journal/journal.service.js';
import { OutageServingService } from './ledger/outage-serving.service.js';
import { UsageLedgerService } from './ledger/usage-ledger.service.js';
import { UsageMovesService } from './ledger/usage-moves.service.js';
import { UsagePartitionsService } from './ledger/usage-partitions.service.js';
import { UsageRetentionService } from './ledger/usage-retention.service.js';
import { RecentErrorsService } from './refusals/recent-errors.service.js';
import { RefusalsService } from './refusals/refusals.service.js';
import { RefusedRequestsService } from './refusals/refused-requests.service.js';
import { UnpricedCallsService } from './reports/unpriced-calls.service.js';
import { UpstreamActivityService } from './reports/upstream-activity.service.js';
import { UsageCallsService } from './reports/usage-calls.service.js';
import { UsageReportsService } from './reports/usage-reports.service.js';
import { UsageRequestsService } from './reports/usage-requests.service.js';
import { UsageTotalsService } from './reports/usage-totals.service.js';
import { UsageRollupsService } from './rollups/usage-rollups.service.js';
import { UnchargedCostsService } from './uncharged/uncharged-costs.service.js';

/** What calls were made and what they cost: only a gateway keeps this, a command-line tool does not. */
@Module({
  imports: [MetricsModule],
  providers: [
    UnchargedCostsService,
    UnpricedCallsService,
    UpstreamActivityService,
    BalanceBasesService,
    FutureBalancesService,
    InstanceService,
    InstanceLeaseService,
    JournalService,
    OutageServingService,
    UsageLedgerService,
    UsagePartitionsService,
    RefusalsService,
    RecentErrorsService,
    RefusedRequestsService,
    UsageCallsService,
    UsageMovesService,
    UsageReportsService,
    UsageRequestsService,
    UsageRetentionService,
    UsageRollupsService,
    UsageTotalsService,
  ],
  exports: [
    UnchargedCostsService,
    UnpricedCallsService,
    UpstreamActivityService,
    InstanceService,
    OutageServingService,
    UsageLedgerService,
    RefusalsService,
    RecentErrorsService,
    RefusedRequestsService,
    UsageCallsService,
    UsageReportsService,
    UsageRequestsService,
    UsageTotalsService,
  ],
})
export class UsageModule {}
