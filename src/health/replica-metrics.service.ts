import { Injectable } from '@nestjs/common';
import { ReportReaderService } from '../database/report-reader.service.js';
import { MetricsService } from '../telemetry/metrics/metrics.service.js';

/** Tells how far the replica for reports lies behind. */
@Injectable()
export class ReplicaMetricsService {
  constructor(metrics: MetricsService, reports: ReportReaderService) {
    if (!reports.hasReplica) return;
    metrics.gauge(
      'gateway_replica_lag_seconds',
      'How far the replica that reports are read from lies behind at most; NaN while it cannot be read.',
      () => (reports.lagMs ?? Number.NaN) / 1000,
    );
  }
}
