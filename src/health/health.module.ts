import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { UpstreamsModule } from '../upstreams/upstreams.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { HealthController } from './health.controller.js';
import { LedgerWatchService } from './ledger-watch.service.js';
import { ReadinessService } from './readiness.service.js';
import { TargetWatchService } from './target-watch.service.js';

@Module({
  imports: [AlertsModule, UpstreamsModule, UsageModule],
  controllers: [HealthController],
  providers: [LedgerWatchService, ReadinessService, TargetWatchService],
  exports: [ReadinessService],
})
export class HealthModule {}
