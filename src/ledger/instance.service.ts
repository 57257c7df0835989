import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { SESSION_NAME, SessionService } from '../database/session.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { UsageMovesService } from './usage-partitions.service.js';

const SWEEP_MS = 5000;
/** After an outage of the database, processes have this long to take their locks again. */
const STEADY_MS = 3000;

/**
 * Represents this process in the ledger by an id and an advisory lock on it. If the lock of an instance is free, its
 * process is gone. Any other process then closes the instance's open calls as `interrupted`, with the estimated prompt,
 * as the answer is unknown.
 */
@Injectable()
export class InstanceService {
  /** A positive 63-bit number, as text. */
  readonly id = String(randomBytes(8).readBigUInt64BE() >> 1n);
  private readonly logger = new Logger('Instance');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    session: SessionService,
    moves: UsageMovesService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      await moves.arrive();
      await session.hold(BigInt(this.id));
      await this.closeInterrupted();
      this.timer = setInterval(() => void (session.steadyMs >= STEADY_MS && this.sweep()), SWEEP_MS);
    });
  }

  /** Whether the process with that id has ended, as far as the database knows. */
  async isGone(id: string): Promise<boolean> {
    const [{ gone }] = await this.dataSource.query('SELECT pg_try_advisory_xact_lock($1::bigint) AS gone', [id]);
    return gone;
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    await this.closeInterrupted().catch((error) =>
      logFailure(this.logger, 'Interrupted calls could not be closed', error),
    );
  }

  /** Holding the lock during the statement proves that no process serves these calls. */
  private async closeInterrupted(): Promise<void> {
    const instances: { id: string }[] = await this.dataSource.query(
      `SELECT DISTINCT instance_id AS id FROM usage_calls WHERE status = 'open' AND instance_id <> $1`,
      [this.id],
    );
    for (const { id } of instances) {
      const [{ closed }] = await this.dataSource.query('SELECT limit_interrupt($1) AS closed', [id]);
      if (closed > 0) this.logger.warn(`${closed} calls of a process that is gone were closed as interrupted.`);
    }
  }
}

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
