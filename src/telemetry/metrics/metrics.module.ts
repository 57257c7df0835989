import { Module } from '@nestjs/common';
import { CallMetricsService } from './call-metrics.service.js';
import { LedgerMetricsService } from './ledger-metrics.service.js';
import { LimitMetricsService } from './limit-metrics.service.js';
import { MetricsService } from './metrics.service.js';

@Module({
  providers: [MetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
  exports: [MetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
})
export class MetricsModule {}
