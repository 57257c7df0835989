import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { logFailure } from '../../common/failure-log.js';
import { takeSchemaLockInTransaction } from '../../database/advisory-locks.js';
import { ClockService } from '../../database/clock.service.js';
import { DatabaseService } from '../../database/database.service.js';
import { monthAfter, partitionOf } from './usage-months.js';

const CHECK_MS = 3_600_000;

/** Keeps a partition of the ledger ready for this month and the next, so that the default one stays empty. */
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

  /** Creates what is missing for the month of `now` and the one after it. */
  async prepare(now: Date): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await takeSchemaLockInTransaction(manager);
      for (const month of [monthAfter(now, 0), monthAfter(now, 1)]) {
        const name = partitionOf(month);
        const [found] = await manager.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
        if (!found.exists) await createPartition(manager, name, month);
      }
    });
  }

  private async check(): Promise<void> {
    await this.prepare(this.clock.date()).catch((error) => logFailure(this.logger, 'Partitions cannot be made', error));
  }
}

/**
 * Made apart and then attached: unlike `CREATE TABLE … PARTITION OF` that does not wait for those who read the ledger,
 * nor holds up those who write. Rows that came before their partition are moved into it.
 */
async function createPartition(manager: EntityManager, name: string, month: Date): Promise<void> {
  const from = `'${month.toISOString()}'`;
  const to = `'${monthAfter(month, 1).toISOString()}'`;
  await manager.query(`CREATE TABLE ${name} (LIKE usage_calls INCLUDING ALL)`);
  await manager.query(
    `WITH early AS (DELETE FROM usage_calls_default WHERE started_at >= ${from} AND started_at < ${to} RETURNING *)
     INSERT INTO ${name} SELECT * FROM early`,
  );
  await manager.query(`ALTER TABLE usage_calls ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`);
}
