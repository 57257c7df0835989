import { Injectable } from '@nestjs/common';
import { GATEWAY_VERSION } from '../config/environment.js';
import { DatabaseService } from '../database/database.service.js';
import { QueryPoolService } from '../database/query-pool.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { OutageServingService } from '../ledger/outage-serving.service.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { MetricsService } from '../telemetry/metrics.service.js';

/** As long as a call waits for admission. */
const QUERY_LIMIT_MS = 2000;

/** Whether new calls should be sent here. */
@Injectable()
export class ReadinessService {
  private draining = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly queries: QueryPoolService,
    private readonly ledger: UsageLedgerService,
    private readonly serving: OutageServingService,
  ) {}

  /** Reports not ready from now on: this process is about to end. */
  drain(): void {
    this.draining = true;
  }

  /** Null if ready, otherwise the reason. Makes no query: the ledger's writers and the query pool know their state. */
  reasonAgainst(): string | null {
    if (this.draining) return 'The gateway is shutting down.';
    if (!this.database.isStarted) return 'The database is not available.';
    if (this.serving.isOn) return null;
    if (this.queries.delayMs > QUERY_LIMIT_MS) return 'The database does not answer queries in time.';
    return this.ledger.isWritable ? null : 'The usage ledger cannot be written in time.';
  }

  /** A problem despite readiness; null if there is none. */
  warning(): string | null {
    if (this.serving.isOn)
      return 'The database is unavailable. Known callers are served without it for a limited time.';
    const callers = this.ledger.slowCallers;
    if (callers === 0) return null;
    return `The calls of ${callers === 1 ? '1 user' : `${callers} users`} cannot be opened in time; they get a 503.`;
  }
}

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
