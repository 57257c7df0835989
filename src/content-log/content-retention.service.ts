import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';

const CHECK_MS = 600_000;
const BATCH = 1000;

/** Deletes contents older than `contentLog.retention`, by the database's clock. */
@Injectable()
export class ContentRetentionService {
  private readonly logger = new Logger('ContentLog');
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
      void this.check();
    });
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  async forgetOld(): Promise<void> {
    let deleted = BATCH;
    while (deleted === BATCH && !this.isStopping) {
      const [, count]: [unknown, number] = await this.dataSource.query(
        `DELETE FROM call_contents WHERE call_id = ANY (ARRAY(
           SELECT call_id FROM call_contents WHERE at < now() - $1 * interval '1 ms' LIMIT ${BATCH}))`,
        [this.settings.contentLog.retention],
      );
      deleted = count;
    }
  }

  private async check(): Promise<void> {
    await this.forgetOld().catch((error) => logFailure(this.logger, 'Old contents cannot be deleted', error));
  }
}
