import { createHmac } from 'node:crypto';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import type { AlertSettings } from '../config/alert.settings.js';
import type { Settings } from '../config/settings.js';
import type { AlertAnswer, DatedAlert } from './alert.types.js';

const LIMIT_MS = 10_000;
const MAX_ANSWER_LENGTH = 500;

/** The webhook that receives alerts. */
export class AlertWebhook {
  private readonly http: OutboundHttp;

  constructor(
    private readonly settings: AlertSettings,
    proxy: Settings['proxy'],
  ) {
    this.http = createOutboundHttp(proxy);
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
    const body = JSON.stringify(alert);
    const response = await this.http.fetch(this.settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-alert-id': id, ...this.signatureOf(body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = shown(await response.text());
    return { status: response.status, text, isAccepted: response.ok };
  }

  private signatureOf(body: string): Record<string, string> {
    const { secret } = this.settings;
    if (secret === null) return {};
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { 'x-gateway-signature': `t=${seconds},v1=${digest}` };
  }
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
