import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Turns } from '../common/turns.js';
import { logFailure } from '../telemetry/failure-log.js';
import { DatabaseServer } from './database.server.js';
import { DatabaseService } from './database.service.js';

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
  private readonly turns: Turns;
  private timer: NodeJS.Timeout | undefined;
  private isQuerying = false;
  /** Undefined until the first check. */
  private isUsable: boolean | undefined;

  constructor(
    @InjectDataSource() private readonly primary: DataSource,
    server: DatabaseServer,
    database: DatabaseService,
  ) {
    this.turns = new Turns(server.reportsAtOnce);
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
    return this.inTurn((source) => source.query(sql, values));
  }

  snapshot<Result>(work: (manager: EntityManager, lagMs: number | null) => Promise<Result>): Promise<Result> {
    return this.inTurn((source) => {
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

  private inTurn<Result>(work: (source: DataSource) => Promise<Result>): Promise<Result> {
    return this.turns.run(() => this.read(work));
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
    if (!this.replica || this.isQuerying) return;
    this.isQuerying = true;
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
      this.isQuerying = false;
    }
  }
}

/** A position of the primary's WAL at a time (`performance.now()`). */
interface Written {
  readonly at: number;
  readonly position: bigint;
}

/** Half an hour of samples, one per second; of older samples only the oldest is kept. */
const MAX_SAMPLES = 1800;

/**
 * The replica's lag: the age of the newest position in the primary's WAL that the replica has reached. It does not
 * depend on the replica's clock, and an idle primary causes no lag.
 */
export class ReplicaLag {
  /** Oldest first; the first is the newest one that the replica has reached, or else the oldest known. */
  private samples: Written[] = [];

  /** `wrote`: the primary's WAL position at `at`; `replayed`: the replica's position after that. */
  sample(at: number, wrote: string, replayed: string): void {
    this.samples.push({ at, position: toPosition(wrote) });
    const reached = toPosition(replayed);
    const newest = this.samples.findLastIndex(({ position }) => position <= reached);
    if (newest > 0) this.samples.splice(0, newest);
    else if (this.samples.length > MAX_SAMPLES) this.samples.splice(1, 1);
  }

  /** In ms at `now`, an upper bound once the replica has reached a sample; null: unknown. */
  at(now: number): number | null {
    const [oldest] = this.samples;
    return oldest ? now - oldest.at : null;
  }
}

/** `16/B374D848`: the two halves of a 64-bit number. */
function toPosition(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
