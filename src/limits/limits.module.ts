import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsageTotalsService } from '../usage/usage-totals.service.js';
import { FullestBudgetsService, LevelsService, UncountedBudgetsService } from './budget-levels.service.js';
import { BudgetRefusalsService, BudgetWatchService } from './budget-watch.service.js';
import { BudgetsService } from './budgets.service.js';
import { KeyController, KeyStandingService } from './key.controller.js';
import { LimitsService } from './limits.service.js';
import { UnderestimatesService } from './underestimates.service.js';

@Module({
  imports: [AlertsModule, UsageModule, MetricsModule, UpstreamsModule],
  providers: [BudgetRefusalsService, BudgetWatchService, LimitsService, UnderestimatesService],
  exports: [LimitsService, UnderestimatesService],
})
export class LimitsModule {}

@Module({
  imports: [AuthModule, BillingModule],
  controllers: [KeyController],
  providers: [
    KeyStandingService,
    BudgetRefusalsService,
    BudgetsService,
    FullestBudgetsService,
    LevelsService,
    UncountedBudgetsService,
    UsageTotalsService,
  ],
  exports: [BudgetRefusalsService, BudgetsService, FullestBudgetsService, LevelsService, UncountedBudgetsService],
})
export class BudgetsModule {}
