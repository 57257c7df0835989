import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { BudgetsService } from './budgets.service.js';

/** What is left of budgets, for whoever shows it. */
@Module({ imports: [AuthModule, BillingModule], providers: [BudgetsService], exports: [BudgetsService] })
export class BudgetsModule {}
