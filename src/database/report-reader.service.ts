import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { logFailure } from '../telemetry/failure-log.js';
import { DatabaseServer } from './database.server.js';
import { DatabaseService } from './database.service.js';
import { ReplicaLag } from './replica-lag.js';

const EVERY_MS = 1000;

/** Reads within one snapshot. */
export interface Snapshots {
  /** `work` may run twice. `lagMs`: the upper bound of the replica's lag, or null when it reads the primary. */
  snapshot<Result>(work: (manager: EntityManager, lagMs: number | null) => Promise<Result>): Promise<Result>;
}

export function snapshotsOf(dataSource: DataSource): Snapshots {
  return { snapshot: (work) => dataSource.transaction('REPEATABLE READ', (manager) => work(manager, null)) };
}

/**
 * Reads the console's reports and usage lists: from the replica at DATABASE_READ_URL, or from the primary when there is
 * no replica, it is unavailable, or a query fails there. Decisions about calls must not use it.
 */
@Injectable()
export class ReportReaderService implements Snapshots {
  private readonly logger = new Logger('Replica');
  private readonly replica: DataSource | null;
  private readonly lag = new ReplicaLag();
  private timer: NodeJS.Timeout | undefined;
  private isAsking = false;
  /** Undefined until the first check. */
  private isUsable: boolean | undefined;

  constructor(
    @InjectDataSource() private readonly primary: DataSource,
    server: DatabaseServer,
    database: DatabaseService,
  ) {
    const options = server.replicaOptions();
    this.replica = options && new DataSource(options);
    database.beforeReady(async () => {
      if (!this.replica) return;
      await this.look();
      this.timer = setInterval(() => void this.look(), EVERY_MS).unref();
    });
  }

  get hasReplica(): boolean {
    return this.replica !== null;
  }

  /** The upper bound of the replica's lag, in ms; null when reports are read from the primary. */
  get lagMs(): number | null {
    return this.isUsable ? this.lag.at(performance.now()) : null;
  }

  query<Rows>(sql: string, values?: unknown[]): Promise<Rows> {
    return this.read((source) => source.query(sql, values));
  }

  snapshot<Result>(work: (manager: EntityManager, lagMs: number | null) => Promise<Result>): Promise<Result> {
    return this.read((source) => {
      const lagMs = source === this.primary ? null : this.lag.at(performance.now());
      return source.transaction('REPEATABLE READ', (manager) => work(manager, lagMs));
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.replica?.isInitialized) await this.replica.destroy();
  }

  private async read<Result>(work: (source: DataSource) => Promise<Result>): Promise<Result> {
    if (!this.replica || !this.isUsable) return work(this.primary);
    try {
      return await work(this.replica);
    } catch (error) {
      logFailure(this.logger, 'The replica failed, so the primary was queried', error);
      return work(this.primary);
    }
  }

  private async look(): Promise<void> {
    if (!this.replica || this.isAsking) return;
    this.isAsking = true;
    try {
      if (!this.replica.isInitialized) await this.replica.initialize();
      const at = performance.now();
      const [{ wrote }] = await this.primary.query('SELECT pg_current_wal_lsn() AS wrote');
      const [{ replayed }] = await this.replica.query('SELECT pg_last_wal_replay_lsn() AS replayed');
      if (replayed === null) throw new Error('DATABASE_READ_URL is not a streaming replica');
      this.lag.sample(at, wrote, replayed);
      if (!this.isUsable) this.logger.log('Reports are read from the replica.');
      this.isUsable = true;
    } catch (error) {
      if (this.isUsable !== false) {
        this.logger.warn(`The replica cannot be read, so reports are read from the primary: ${String(error)}`);
      }
      this.isUsable = false;
    } finally {
      this.isAsking = false;
    }
  }
}
