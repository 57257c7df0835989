import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import type { AlertSettings } from '../config/environment.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { Alert, AlertAnswer, DatedAlert } from './alert.types.js';

const LIMIT_MS = 10_000;
const MAX_ANSWER_LENGTH = 500;

/** The webhook that receives alerts. */
class AlertWebhook {
  private readonly http: OutboundHttp;

  constructor(private readonly settings: Settings) {
    this.http = createOutboundHttp(settings.proxy);
  }

  /** A reload can replace address and secret; null: there is no webhook. */
  get current(): AlertSettings | null {
    return this.settings.alerts;
  }

  /** Never rejects. A repeat has the same `id`. */
  async post(id: string, alert: DatedAlert): Promise<AlertAnswer> {
    try {
      return await this.send(id, alert);
    } catch (error) {
      return { status: null, text: shown(reasonOf(error)), isAccepted: false };
    }
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async send(id: string, alert: DatedAlert): Promise<AlertAnswer> {
    if (!this.current) throw new Error('there is no webhook');
    const { url, secret } = this.current;
    const body = JSON.stringify(alert);
    const response = await this.http.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-alert-id': id,
        ...(secret !== null && signatureOf(body, secret)),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = shown(await response.text());
    return { status: response.status, text, isAccepted: response.ok };
  }
}

function signatureOf(body: string, secret: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'x-gateway-signature': `t=${seconds},v1=${digest}` };
}

function shown(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER_LENGTH)
    .toWellFormed();
}

/** Why there is no response: the network's reason instead of "fetch failed". */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { message, code } = reason as NodeJS.ErrnoException;
  return message || code || 'no connection';
}

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
  private readonly webhook: AlertWebhook;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | null = null;
  private isRequired = false;
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
    @InjectSettings() settings: Settings,
  ) {
    this.webhook = new AlertWebhook(settings);
    database.beforeReady(async () => {
      this.timer = setInterval(() => this.wake(), LOOK_MS).unref();
      this.wake();
    });
  }

  get hasWebhook(): boolean {
    return this.webhook.current !== null;
  }

  /** Call when there may be something to send. */
  wake(): void {
    if (!this.hasWebhook || this.isStopping) return;
    this.isRequired = true;
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
    });
  }

  /** Without the database: tries up to `attempts` times, and never rejects. Null without a webhook. */
  async sendDirectly({ type, subject, text }: Alert, at: Date, attempts = DIRECT_ATTEMPTS): Promise<Delivery | null> {
    if (!this.hasWebhook) return null;
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
    await this.webhook.close();
  }

  private async sendAll(): Promise<void> {
    while (this.isRequired && !this.isStopping) {
      this.isRequired = false;
      try {
        const [due]: [AlertRow[]] = await this.dataSource.query(CLAIM);
        if (due.length === BATCH) this.isRequired = true;
        for (const alert of due) await this.send(alert);
      } catch (error) {
        logFailure(this.logger, 'Alerts cannot be sent', error);
      }
    }
  }

  private async send({ id, type, subject, text, at }: AlertRow): Promise<void> {
    const answer = await this.webhook.post(id, { type, at, subject, text });
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
