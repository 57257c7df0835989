import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../../database/database.service.js';
import { SESSION_NAME, SessionService } from '../../database/session.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { InstanceService } from './instance.service.js';

/** Gateways check their session five times a second. After this long without a check, one has vanished or is frozen. */
const LEASE_MS = 9000;
const LOOK_MS = 1000;
/** A live gateway that lost its connection has this long to take its lock again. */
const GRACE_MS = 600;

/**
 * Ends the sessions of vanished gateways. When a host loses power or network, the database keeps the host's connection
 * for hours, and with it the lock that keeps its calls open. Only times of the database are compared, and only while
 * this process's own session is active, so that a frozen database ends no sessions.
 */
const END_VANISHED = `
  SELECT count(*) FILTER (WHERE pg_terminate_backend(vanished.pid))::int AS ended FROM (
    SELECT DISTINCT a.pid FROM pg_stat_activity AS a JOIN pg_locks AS l ON l.pid = a.pid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND a.datname = current_database() AND a.application_name = $1
      AND a.state = 'idle' AND a.state_change < clock_timestamp() - $2 * interval '1 ms'
      AND EXISTS (
        SELECT FROM pg_stat_activity AS own
        WHERE own.pid = $3 AND own.state_change > clock_timestamp() - interval '2 s'
      )
  ) AS vanished`;

/** Releases what the calls of a vanished or frozen gateway hold, within 15 s. */
@Injectable()
export class InstanceLeaseService {
  private readonly logger = new Logger('Instance');
  private timer: NodeJS.Timeout | undefined;
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly session: SessionService,
    private readonly instance: InstanceService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.look(), LOOK_MS);
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    clearTimeout(this.sweep);
  }

  private async look(): Promise<void> {
    if (this.session.steadyMs < LEASE_MS) return;
    try {
      const values = [SESSION_NAME, LEASE_MS, this.session.backendId];
      const [{ ended }] = await this.dataSource.query(END_VANISHED, values);
      if (ended === 0) return;
      this.logger.warn(
        `The sessions of ${ended} processes were ended: they have not responded for ${LEASE_MS / 1000} s.`,
      );
      this.sweep = setTimeout(() => void this.instance.sweep(), GRACE_MS);
    } catch (error) {
      logFailure(this.logger, 'The check for vanished processes failed', error);
    }
  }
}
