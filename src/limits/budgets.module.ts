import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageTotalsService } from '../usage/usage-totals.service.js';
import { FullestBudgetsService, LevelsService, UncountedBudgetsService } from './budget-levels.service.js';
import { BudgetRefusalsService } from './budget-watch.service.js';
import { BudgetsService } from './budgets.service.js';
import { KeyController, KeyStandingService } from './key.controller.js';

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
