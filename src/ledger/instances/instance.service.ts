import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../../database/database.service.js';
import { SessionService } from '../../database/session.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { UsageMovesService } from '../partitions/usage-moves.service.js';

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
