import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Alert, AlertAnswer, DatedAlert } from './alert.types.js';
import { AlertWebhook } from './alert-webhook.js';

const LOOK_MS = 5000;
const BATCH = 10;
const DIRECT_ATTEMPTS = 6;
const REFUSED = 'The webhook does not accept alerts';

/** The last response, and the number of attempts. */
export interface Delivery {
  readonly answer: AlertAnswer;
  readonly attempts: number;
}

type AlertRow = DatedAlert & { readonly id: string };

/** Claims due alerts for five minutes; after that, the process that claimed them counts as dead. */
const CLAIM = `
  UPDATE alerts SET attempts = attempts + 1, next_at = now() + interval '5 min'
  WHERE id IN (
    SELECT id FROM alerts WHERE sent_at IS NULL AND next_at <= now() AND at > now() - interval '1 day'
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  )
  RETURNING id, type, subject, text, at`;

/** Sends stored alerts, each by one process, until the receiver accepts it or a day has passed. */
@Injectable()
export class AlertDeliveryService {
  private readonly logger = new Logger('Alerts');
  private readonly webhook: AlertWebhook | null;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  private isWanted = false;
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
    @InjectSettings() { alerts, proxy }: Settings,
  ) {
    this.webhook = alerts && new AlertWebhook(alerts, proxy);
    if (!this.webhook) return;
    database.beforeReady(async () => {
      this.timer = setInterval(() => this.wake(), LOOK_MS).unref();
      this.wake();
    });
  }

  /** Call when there may be something to send. */
  wake(): void {
    if (!this.webhook || this.isStopping) return;
    this.isWanted = true;
    this.sending ??= this.sendAll(this.webhook).finally(() => {
      this.sending = null;
    });
  }

  /** Without the database: tries up to `attempts` times, and never rejects. Null without a webhook. */
  async sendDirectly({ type, subject, text }: Alert, at: Date, attempts = DIRECT_ATTEMPTS): Promise<Delivery | null> {
    if (!this.webhook) return null;
    const id = randomUUID();
    for (let attempt = 1; ; attempt++) {
      const answer = await this.webhook.post(id, { type, at, subject, text });
      if (answer.isAccepted || attempt === attempts || this.isStopping) return { answer, attempts: attempt };
      this.logRejected(answer);
      await sleep(1000 * 2 ** (attempt - 1), undefined, { ref: false });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.sending;
    await this.webhook?.close();
  }

  private async sendAll(webhook: AlertWebhook): Promise<void> {
    while (this.isWanted && !this.isStopping) {
      this.isWanted = false;
      try {
        const [due]: [AlertRow[]] = await this.dataSource.query(CLAIM);
        if (due.length === BATCH) this.isWanted = true;
        for (const alert of due) await this.send(webhook, alert);
      } catch (error) {
        logFailure(this.logger, 'Alerts cannot be sent', error);
      }
    }
  }

  private async send(webhook: AlertWebhook, { id, type, subject, text, at }: AlertRow): Promise<void> {
    const answer = await webhook.post(id, { type, at, subject, text });
    if (!answer.isAccepted) this.logRejected(answer);
    await this.dataSource.query(
      `UPDATE alerts SET tried_at = now(), answer_status = $2, answer = $3, sent_at = CASE WHEN $4 THEN now() END,
         next_at = now() + least(3600, 2 ^ (attempts - 1)) * interval '1 s'
       WHERE id = $1`,
      [id, answer.status, answer.text, answer.isAccepted],
    );
  }

  private logRejected({ status, text }: AlertAnswer): void {
    logFailure(this.logger, REFUSED, new Error(status === null ? text : `HTTP ${status}`));
  }
}
