import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageTotalsService } from '../usage/reports/usage-totals.service.js';
import { BudgetsService } from './budgets.service.js';
import { FullestBudgetsService } from './fullest-budgets.service.js';
import { LevelsService } from './levels.service.js';
import { UncountedBudgetsService } from './uncounted-budgets.service.js';

@Module({
  imports: [AuthModule, BillingModule],
  providers: [BudgetsService, FullestBudgetsService, LevelsService, UncountedBudgetsService, UsageTotalsService],
  exports: [BudgetsService, FullestBudgetsService, LevelsService, UncountedBudgetsService],
})
export class BudgetsModule {}
