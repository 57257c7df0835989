import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { BalanceBasesService } from './balance-bases/balance-bases.service.js';
import { RefusalsService } from './refusals/refusals.service.js';
import { ModelActivityService } from './reports/model-activity.service.js';
import { ModelSpeedService } from './reports/model-speed.service.js';
import { UnpricedCallsService } from './reports/unpriced-calls.service.js';
import { UpstreamActivityService } from './reports/upstream-activity.service.js';
import { UsageCallsService } from './reports/usage-calls.service.js';
import { UsageReportsService } from './reports/usage-reports.service.js';
import { UsageTotalsService } from './reports/usage-totals.service.js';
import { CallSampleService } from './requests/call-sample.service.js';
import { RecentErrorsService } from './requests/recent-errors.service.js';
import { RefusedRequestsService } from './requests/refused-requests.service.js';
import { RequestFacetsService } from './requests/request-facets.service.js';
import { RequestHistogramService } from './requests/request-histogram.service.js';
import { UsageRequestsService } from './requests/usage-requests.service.js';
import { UsageRetentionService } from './retention/usage-retention.service.js';
import { UsageRollupsService } from './rollups/usage-rollups.service.js';
import { UnchargedCostsService } from './uncharged/uncharged-costs.service.js';

const EXPORTED = [
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
  UsageCallsService,
  UsageReportsService,
  UsageRequestsService,
  UsageTotalsService,
];

/** Reports, roll-ups, refused requests and retention. Used by gateways, not by the command line. */
@Module({
  imports: [LedgerModule],
  providers: [...EXPORTED, BalanceBasesService, CallSampleService, UsageRetentionService, UsageRollupsService],
  exports: [...EXPORTED, LedgerModule],
})
export class UsageModule {}
