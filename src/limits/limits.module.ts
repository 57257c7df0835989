import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { BudgetRefusalsService, BudgetWatchService } from './budget-watch.service.js';
import { LimitsService } from './limits.service.js';
import { UnderestimatesService } from './underestimates.service.js';

@Module({
  imports: [AlertsModule, UsageModule, MetricsModule, UpstreamsModule],
  providers: [BudgetRefusalsService, BudgetWatchService, LimitsService, UnderestimatesService],
  exports: [LimitsService, UnderestimatesService],
})
export class LimitsModule {}
