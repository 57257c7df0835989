import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Alert } from './alert.types.js';
import { AlertDeliveryService } from './alert-delivery.service.js';

const LONGEST_TEXT = 2000;
const MOST_WAITING = 1000;
const RETRY_MS = 1000;

/**
 * Sends alerts, each once over all processes: the process that writes its row first sends it. Callers do not wait;
 * while the database is away, alerts wait in memory.
 */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger('Alerts');
  private readonly isOn: boolean;
  private readonly waiting: { readonly alert: Alert; readonly at: Date }[] = [];
  private writing: Promise<void> | null = null;
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly delivery: AlertDeliveryService,
    @InjectSettings() { alerts }: Settings,
  ) {
    this.isOn = alerts !== null;
  }

  /** Returns immediately and never throws. Does nothing without a webhook. */
  alert(alert: Alert): void {
    if (!this.isOn || this.isStopping || this.waiting.length >= MOST_WAITING) return;
    this.waiting.push({ alert, at: new Date() });
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
  }

  /** The same without the database, while it is away: each process sends its own. */
  alertWithoutDatabase(alert: Alert): void {
    void this.delivery.sendDirectly(alert, new Date());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    for (let [first] = this.waiting; first; [first] = this.waiting) {
      try {
        if (await this.write(first.alert, first.at)) this.delivery.wake();
        this.waiting.shift();
      } catch (error) {
        logFailure(this.logger, 'An alert cannot be written', error);
        if (this.isStopping) return;
        await new Promise<void>((resolve) => {
          this.timer = setTimeout(resolve, RETRY_MS);
        });
        if (this.isStopping) return;
      }
    }
  }

  /** Whether to send it: the state of its topic has changed. */
  private async write({ type, subject, text, topic }: Alert, at: Date): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `WITH changed AS (
         INSERT INTO alert_topics (topic, type) SELECT $5::text, $1::text WHERE $5::text IS NOT NULL
         ON CONFLICT (topic) DO UPDATE SET type = excluded.type, since = excluded.since WHERE alert_topics.type <> excluded.type
         RETURNING topic
       )
       INSERT INTO alerts (type, subject, text, at) SELECT $1, $2, $3, $4
       WHERE $5::text IS NULL OR EXISTS (SELECT FROM changed)
       RETURNING id`,
      [type, subject, text.slice(0, LONGEST_TEXT), at, topic ?? null],
    );
    return rows.length > 0;
  }
}
