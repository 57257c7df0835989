import { Module } from '@nestjs/common';
import { AnswerMetricsService } from './answer-metrics.service.js';
import { CallMetricsService } from './call-metrics.service.js';
import { LedgerMetricsService } from './ledger-metrics.service.js';
import { LimitMetricsService } from './limit-metrics.service.js';
import { MetricsService } from './metrics.service.js';

@Module({
  providers: [MetricsService, AnswerMetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
  exports: [MetricsService, AnswerMetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
})
export class MetricsModule {}
