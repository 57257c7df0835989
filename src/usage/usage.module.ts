import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { BalanceBasesService } from './balance-bases.service.js';
import { ErrorCausesService } from './error-causes.service.js';
import { GuardHitsService, GuardReportService } from './guard-hits.service.js';
import { ModelActivityService, ModelSpeedService, UpstreamActivityService } from './model-activity.service.js';
import { RecentErrorsService, RefusedRequestsService } from './recent-errors.service.js';
import { RefusalsService } from './refusals.service.js';
import { CallSampleService, RequestFacetsService, RequestHistogramService } from './request-facets.service.js';
import { UsageRollupsService } from './rollups/usage-rollups.service.js';
import { UnchargedCostsService, UnpricedCallsService } from './uncharged-costs.service.js';
import { UpstreamFaultsService } from './upstream-faults.service.js';
import { UsageCallsService } from './usage-calls.service.js';
import { UsageReportsService } from './usage-reports.service.js';
import { UsageRequestsService } from './usage-requests.service.js';
import { UsageRetentionService } from './usage-retention.service.js';
import { UsageTotalsService } from './usage-totals.service.js';

const EXPORTED = [
  ErrorCausesService,
  GuardHitsService,
  GuardReportService,
  ModelActivityService,
  ModelSpeedService,
  RecentErrorsService,
  RefusalsService,
  RefusedRequestsService,
  RequestFacetsService,
  RequestHistogramService,
  UnchargedCostsService,
  UnpricedCallsService,
  UpstreamActivityService,
  UpstreamFaultsService,
  UsageCallsService,
  UsageReportsService,
  UsageRequestsService,
  UsageTotalsService,
];

/** Reports, roll-ups, refused requests and retention. Used by gateways, not by the command line. */
@Module({
  imports: [LedgerModule, MetricsModule],
  providers: [...EXPORTED, BalanceBasesService, CallSampleService, UsageRetentionService, UsageRollupsService],
  exports: [...EXPORTED, LedgerModule],
})
export class UsageModule {}
