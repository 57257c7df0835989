import { Module } from '@nestjs/common';
import { CallMetricsService } from './call-metrics.service.js';
import { LedgerMetricsService } from './ledger-metrics.service.js';
import { MetricsService } from './metrics.service.js';

@Module({
  providers: [MetricsService, CallMetricsService, LedgerMetricsService],
  exports: [MetricsService, CallMetricsService, LedgerMetricsService],
})
export class MetricsModule {}
