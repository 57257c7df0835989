import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { AlertType, DatedAlert } from './alert.types.js';

export interface LoggedAlert extends DatedAlert {
  readonly id: string;
  /** `waiting`: it is tried again; `failed`: no longer; `not_sent`: there was no webhook. */
  readonly delivery: 'sent' | 'waiting' | 'failed' | 'not_sent';
  readonly attempts: number;
  readonly triedAt: Date | null;
  readonly answerStatus: number | null;
  readonly answer: string | null;
}

export interface AlertPage {
  readonly items: readonly LoggedAlert[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

export interface AlertFilter {
  /** `next` of the previous page; null for the first one. */
  readonly cursor: string | null;
  /** Null for all. */
  readonly types: readonly AlertType[] | null;
  readonly subject: string | null;
}

/** The alerts of the last 30 days and the webhook's responses to them. */
@Injectable()
export class AlertLogService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Only its host, since the path of many webhooks is a secret. */
  get webhook(): { readonly host: string; readonly isSigned: boolean } | null {
    const { alerts } = this.settings;
    return alerts && { host: new URL(alerts.url).host, isSigned: alerts.secret !== null };
  }

  /** Newest first. */
  async page({ cursor, types, subject }: AlertFilter, limit: number): Promise<AlertPage> {
    const rows: LoggedAlert[] = await this.dataSource.query(
      `SELECT id, type, subject, text, at, attempts, tried_at AS "triedAt", answer_status AS "answerStatus", answer,
         CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN next_at = 'infinity' AND attempts = 0 THEN 'not_sent'
           WHEN next_at = 'infinity' OR at <= now() - interval '1 day' THEN 'failed' ELSE 'waiting' END AS delivery
       FROM alerts WHERE ($1::bigint IS NULL OR id < $1) AND ($3::text[] IS NULL OR type = ANY($3))
         AND ($4::text IS NULL OR subject = $4)
       ORDER BY id DESC LIMIT $2`,
      [cursor, limit + 1, types, subject],
    );
    const items = rows.slice(0, limit);
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }
}

const CHECK_MS = 3_600_000;
/** Longer than the time for which an alert is retried. */
const ALERT_RETENTION = '30 days';
/** Longer than a month, in which a budget is reported once. */
const TOPIC_RETENTION = '70 days';

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
    await this.dataSource.query(`DELETE FROM alerts WHERE at < now() - interval '${ALERT_RETENTION}'`);
    await this.dataSource.query(
      `DELETE FROM alert_topics WHERE since < now() - interval '${TOPIC_RETENTION}' AND topic NOT LIKE 'budget:%:total:%'`,
    );
  }

  private async check(): Promise<void> {
    await this.forgetOld().catch((error) => logFailure(this.logger, 'Old alerts cannot be deleted', error));
  }
}
