import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { takeSchemaLockInTransaction } from '../database/advisory-locks.js';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { monthAfter, partitionOf } from './rows/usage-statements.js';

const CHECK_MS = 3_600_000;
/** Percent of a page for new rows; the rest is for their longer versions when calls are closed. */
const FILL_FACTOR = 60;
const MONTHS_AHEAD = 3;

/** Keeps partitions of the ledger ready for this month and the next three, and creates others on demand. */
@Injectable()
export class UsagePartitionsService {
  private readonly logger = new Logger('UsagePartitions');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      await this.prepare(this.clock.date());
      this.timer = setInterval(() => void this.check(), CHECK_MS);
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async prepare(now: Date): Promise<void> {
    await this.create(Array.from({ length: MONTHS_AHEAD + 1 }, (_, months) => monthAfter(now, months)));
  }

  async create(dates: readonly Date[]): Promise<void> {
    const months = new Map(dates.map((date) => [partitionOf(date), monthAfter(date, 0)]));
    for (const [name, month] of months) {
      if (await exists(this.dataSource.manager, name)) continue;
      await this.dataSource.transaction(async (manager) => {
        await takeSchemaLockInTransaction(manager);
        if (!(await exists(manager, name))) await createPartition(manager, name, month);
      });
    }
  }

  private async check(): Promise<void> {
    await this.prepare(this.clock.date()).catch((error) =>
      logFailure(this.logger, 'Partitions could not be created', error),
    );
  }
}

async function exists(manager: EntityManager, name: string): Promise<boolean> {
  const [found] = await manager.query(
    `SELECT 1 AS one FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'usage_calls'::regclass AND relname = $1`,
    [name],
  );
  return found !== undefined;
}

/**
 * Created separately and then attached. Unlike `CREATE TABLE … PARTITION OF`, this does not wait for readers or backups
 * and does not block writers. There must be no default partition, as attaching another partition would lock it.
 */
async function createPartition(manager: EntityManager, name: string, month: Date): Promise<void> {
  const range = `FROM ('${month.toISOString()}') TO ('${monthAfter(month, 1).toISOString()}')`;
  await manager.query(`CREATE TABLE ${name} (LIKE usage_calls INCLUDING ALL) WITH (fillfactor = ${FILL_FACTOR})`);
  await manager.query(`ALTER TABLE usage_calls ATTACH PARTITION ${name} FOR VALUES ${range}`);
}

/**
 * The ledger relies on increasing transaction numbers. A database that was restored on another Postgres server may
 * continue with lower numbers, so an offset is raised before the first call is written.
 */
@Injectable()
export class UsageMovesService {
  private readonly logger = new Logger('UsageMoves');

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Call it before anything is written to the ledger. */
  async arrive(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await takeSchemaLockInTransaction(manager);
      const [moved] = await manager.query(
        `SELECT system_identifier AS server FROM usage_rollup_state, pg_control_system() WHERE server <> system_identifier`,
      );
      if (!moved) return;
      const [{ offset }] = await manager.query(
        `SELECT greatest(
           rolled_up_to,
           (SELECT max(changed_in) FROM usage_calls WHERE status <> 'open'),
           (SELECT max(interrupted_in) FROM usage_calls WHERE interrupted_in IS NOT NULL)
         ) + 1 AS offset
         FROM usage_rollup_state`,
      );
      await manager.query(
        `ALTER TABLE usage_calls ALTER changed_in SET DEFAULT pg_current_xact_id()::text::bigint + ${BigInt(offset)}`,
      );
      await manager.query('UPDATE usage_rollup_state SET xid_offset = $1, server = $2', [offset, moved.server]);
      this.logger.log('The database has moved to another server; the usage ledger continues where it left off.');
    });
  }
}
