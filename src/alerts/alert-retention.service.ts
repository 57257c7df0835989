import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';

const CHECK_MS = 3_600_000;
/** Longer than an alert is tried. */
const ALERTS_KEPT = '30 days';
/** Longer than a month, for which a budget is told of once. */
const TOPICS_KEPT = '70 days';

/** Forgets alerts that are long past. What a budget without an end was told of stays, since that is told once. */
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
    await this.forgetOld().catch((error) => logFailure(this.logger, 'Old alerts cannot be forgotten', error));
  }
}
