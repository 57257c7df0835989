import { Injectable } from '@nestjs/common';
import { GATEWAY_VERSION } from '../config/gateway-version.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { MetricsService } from '../telemetry/metrics/metrics.service.js';
import { ReadinessService } from './readiness.service.js';

/** Reports the version of a process, whether it is ready, and the lag of the replica for reports. */
@Injectable()
export class HealthMetricsService {
  constructor(metrics: MetricsService, readiness: ReadinessService, reports: ReportReaderService) {
    metrics.gauges(
      'gateway_build_info',
      'Always 1; labels: the versions of the gateway and of Node.',
      ['version', 'node'],
      () => [{ version: GATEWAY_VERSION, node: process.version, value: 1 }],
    );
    metrics.gauge('gateway_ready', '1 while /health/ready is 200, otherwise 0.', () =>
      readiness.reasonAgainst() === null ? 1 : 0,
    );
    metrics.gauge('gateway_processes', 'Processes that serve on the port.', () => 1);
    if (!reports.hasReplica) return;
    metrics.gauge(
      'gateway_replica_lag_seconds',
      'The greatest possible lag of the replica for reports; NaN while it cannot be read.',
      () => (reports.lagMs ?? Number.NaN) / 1000,
    );
  }
}
