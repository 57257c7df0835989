import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SCHEMA_LOCK } from '../database/advisory-locks.js';
import { DatabaseService } from '../database/database.service.js';

const CHECK_MS = 3_600_000;

/** Keeps a partition of the ledger ready for this month and the next, so that the default one stays empty. */
@Injectable()
export class UsagePartitionsService {
  private readonly logger = new Logger('UsagePartitions');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      await this.prepare(new Date());
      this.timer = setInterval(() => void this.check(), CHECK_MS);
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Creates what is missing for the month of `now` and the one after it. */
  async prepare(now: Date): Promise<void> {
    const months = [monthAfter(now, 0), monthAfter(now, 1)];
    await this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      for (const month of months) {
        const name = `usage_calls_${month.toISOString().slice(0, 7).replace('-', '_')}`;
        const end = monthAfter(month, 1);
        await manager.query(
          `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF usage_calls
           FOR VALUES FROM ('${month.toISOString()}') TO ('${end.toISOString()}')`,
        );
      }
    });
  }

  private async check(): Promise<void> {
    await this.prepare(new Date()).catch((error) => this.logger.error(error));
  }
}

/** The first instant (UTC) of the month `months` after that of `date`. */
function monthAfter(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}
