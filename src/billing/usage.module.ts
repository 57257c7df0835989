import { Module } from '@nestjs/common';
import { InstanceService } from './instance.service.js';
import { RecentErrorsService } from './recent-errors.service.js';
import { RefusalsService } from './refusals.service.js';
import { RefusedRequestsService } from './refused-requests.service.js';
import { UpstreamActivityService } from './upstream-activity.service.js';
import { UsageCallsService } from './usage-calls.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';
import { UsageMovesService } from './usage-moves.service.js';
import { UsagePartitionsService } from './usage-partitions.service.js';
import { UsageReportsService } from './usage-reports.service.js';
import { UsageRequestsService } from './usage-requests.service.js';
import { UsageRetentionService } from './usage-retention.service.js';
import { UsageRollupsService } from './usage-rollups.service.js';
import { UsageTotalsService } from './usage-totals.service.js';

/** What calls were made and what they cost: only a gateway keeps this, a command-line tool does not. */
@Module({
  providers: [
    UpstreamActivityService,
    InstanceService,
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
    UpstreamActivityService,
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
