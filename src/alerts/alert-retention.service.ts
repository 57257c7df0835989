import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';

const CHECK_MS = 3_600_000;
/** Longer than the time for which an alert is retried. */
const ALERTS_KEPT = '30 days';
/** Longer than a month, in which a budget is reported once. */
const TOPICS_KEPT = '70 days';

/** Deletes old alerts. The topics of total budgets stay, because they are reported only once. */
@Injectable()
export class AlertRetentionService {
  private readonly logger = new Logger('Alerts');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
      void this.check();
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async forgetOld(): Promise<void> {
    await this.dataSource.query(`DELETE FROM alerts WHERE at < now() - interval '${ALERTS_KEPT}'`);
    await this.dataSource.query(
      `DELETE FROM alert_topics WHERE since < now() - interval '${TOPICS_KEPT}' AND topic NOT LIKE 'budget:%:total:%'`,
    );
  }

  private async check(): Promise<void> {
    await this.forgetOld().catch((error) => logFailure(this.logger, 'Old alerts cannot be deleted', error));
  }
}
