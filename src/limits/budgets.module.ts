import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageTotalsService } from '../usage/reports/usage-totals.service.js';
import { BudgetRefusalsService } from './budget-refusals.service.js';
import { BudgetsService } from './budgets.service.js';
import { FullestBudgetsService } from './fullest-budgets.service.js';
import { LevelsService } from './levels.service.js';
import { UncountedBudgetsService } from './uncounted-budgets.service.js';

@Module({
  imports: [AuthModule, BillingModule],
  providers: [
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
