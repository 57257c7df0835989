import { Module } from '@nestjs/common';
import { AnswerMetricsService, LimitMetricsService } from './answer-metrics.service.js';
import { CallMetricsService } from './call-metrics.service.js';
import { LedgerMetricsService } from './ledger-metrics.service.js';
import { MetricsService } from './metrics.service.js';
import { MetricsController, MetricsServerService } from './metrics-server.service.js';

@Module({
  providers: [MetricsService, AnswerMetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
  exports: [MetricsService, AnswerMetricsService, CallMetricsService, LedgerMetricsService, LimitMetricsService],
})
export class MetricsModule {}

@Module({ imports: [MetricsModule], controllers: [MetricsController] })
export class MetricsEndpointModule {}

/** The separate port for metrics, opened by the first process of a gateway. */
@Module({ imports: [MetricsModule], providers: [MetricsServerService] })
export class MetricsServerModule {}
