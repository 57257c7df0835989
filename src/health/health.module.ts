import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MetricsModule } from '../telemetry/metrics.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { HealthController } from './health.controller.js';
import { HealthMetricsService, ReadinessService } from './readiness.service.js';
import { LedgerWatchService, TargetWatchService } from './watches.service.js';

@Module({
  imports: [AlertsModule, MetricsModule, UpstreamsModule, UsageModule],
  controllers: [HealthController],
  providers: [LedgerWatchService, ReadinessService, HealthMetricsService, TargetWatchService],
  exports: [ReadinessService],
})
export class HealthModule {}
