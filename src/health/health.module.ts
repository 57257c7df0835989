import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { HealthController } from './health.controller.js';
import { LedgerWatchService } from './ledger-watch.service.js';
import { ReadinessService } from './readiness.service.js';

@Module({
  imports: [AlertsModule, UsageModule],
  controllers: [HealthController],
  providers: [LedgerWatchService, ReadinessService],
  exports: [ReadinessService],
})
export class HealthModule {}
