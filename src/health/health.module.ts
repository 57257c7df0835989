import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { MetricsModule } from '../telemetry/metrics/metrics.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { HealthController } from './health.controller.js';
import { HealthMetricsService } from './health-metrics.service.js';
import { LedgerWatchService } from './ledger-watch.service.js';
import { ReadinessService } from './readiness.service.js';
import { TargetWatchService } from './target-watch.service.js';

@Module({
  imports: [AlertsModule, MetricsModule, UpstreamsModule, UsageModule],
  controllers: [HealthController],
  providers: [LedgerWatchService, ReadinessService, HealthMetricsService, TargetWatchService],
  exports: [ReadinessService],
})
export class HealthModule {}
