import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { logFailure } from '../telemetry/failure-log.js';
import type { Alert, AlertAnswer } from './alert.types.js';
import { AlertDeliveryService, type Delivery } from './alert-delivery.service.js';

const MAX_TEXT_LENGTH = 2000;
const MAX_WAITING = 1000;
const RETRY_MS = 1000;

interface Unwritten {
  readonly alert: Alert;
  readonly at: Date;
  /** The delivery of an alert that was sent before it is stored. */
  readonly delivery?: Delivery | null;
}

/**
 * Stores alerts and sends them, each once over all processes: the process that writes its row first sends it. Callers
 * do not wait; while the database is unavailable, alerts wait in memory. Without a webhook they are only stored.
 */
@Injectable()
export class AlertsService {
  private readonly logger = new Logger('Alerts');
  private readonly waiting: Unwritten[] = [];
  private writing: Promise<void> | null = null;
  private isStopping = false;
  private readonly stopped = new AbortController();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly delivery: AlertDeliveryService,
  ) {}

  /** Returns immediately and never throws. */
  alert(alert: Alert): void {
    this.store({ alert, at: new Date() });
  }

  /** The same while the database is unavailable: each process sends its own, and stores it later. */
  alertWithoutDatabase(alert: Alert): void {
    const at = new Date();
    void this.delivery.sendDirectly(alert, at).then((delivery) => this.store({ alert, at, delivery }));
  }

  /** Sends one message now, for an administrator who set up the webhook. Null without a webhook. */
  async test(alert: Omit<Alert, 'type'>): Promise<AlertAnswer | null> {
    const at = new Date();
    const sent: Alert = { ...alert, type: 'test' };
    const delivery = await this.delivery.sendDirectly(sent, at, 1);
    if (delivery) await this.write({ alert: sent, at, delivery });
    return delivery?.answer ?? null;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.stopped.abort();
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    for (let [first] = this.waiting; first; [first] = this.waiting) {
      try {
        if (await this.write(first)) this.delivery.wake();
        this.waiting.shift();
      } catch (error) {
        logFailure(this.logger, 'An alert cannot be written', error);
        if (this.isStopping) return;
        await sleep(RETRY_MS, undefined, { signal: this.stopped.signal }).catch(() => undefined);
        if (this.isStopping) return;
      }
    }
  }

  private store(one: Unwritten): void {
    if (this.isStopping || this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(one);
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
  }

  /** Whether it was stored: the state of its topic has changed. */
  private async write({ alert: { type, subject, text, topic }, at, delivery = null }: Unwritten): Promise<boolean> {
    const { answer, attempts } = delivery ?? { answer: null, attempts: 0 };
    const isDue = this.delivery.hasWebhook && answer === null;
    const rows: unknown[] = await this.dataSource.query(
      `WITH changed AS (
         INSERT INTO alert_topics (topic, type) SELECT $5::text, $1::text WHERE $5::text IS NOT NULL
         ON CONFLICT (topic) DO UPDATE SET type = excluded.type, since = excluded.since WHERE alert_topics.type <> excluded.type
         RETURNING topic
       )
       INSERT INTO alerts (type, subject, text, at, next_at, attempts, tried_at, answer_status, answer, sent_at)
       SELECT $1, $2, $3, $4, CASE WHEN $6 THEN now() ELSE 'infinity' END, $7, CASE WHEN $7 > 0 THEN now() END, $8, $9,
         CASE WHEN $10 THEN now() END
       WHERE $5::text IS NULL OR EXISTS (SELECT FROM changed)
       RETURNING id`,
      [
        type,
        subject,
        text.slice(0, MAX_TEXT_LENGTH),
        at,
        topic ?? null,
        isDue,
        attempts,
        answer?.status ?? null,
        answer?.text ?? null,
        answer?.isAccepted ?? false,
      ],
    );
    return rows.length > 0;
  }
}
