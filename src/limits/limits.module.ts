import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { BudgetRefusalsService } from './budget-refusals.service.js';
import { BudgetWatchService } from './budget-watch.service.js';
import { LimitsService } from './limits.service.js';

@Module({
  imports: [AlertsModule, UsageModule, MetricsModule],
  providers: [BudgetRefusalsService, BudgetWatchService, LimitsService],
  exports: [LimitsService],
})
export class LimitsModule {}
