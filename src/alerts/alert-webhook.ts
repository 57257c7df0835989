import { createHmac } from 'node:crypto';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import type { AlertSettings } from '../config/alert.settings.js';
import type { Settings } from '../config/settings.js';

const LIMIT_MS = 10_000;

interface AlertBody {
  readonly type: string;
  readonly at: string;
  readonly subject: string;
  readonly text: string;
}

/** The webhook that receives alerts. */
export class AlertWebhook {
  private readonly http: OutboundHttp;

  constructor(
    private readonly settings: AlertSettings,
    proxy: Settings['proxy'],
  ) {
    this.http = createOutboundHttp(proxy);
  }

  /** Rejects unless the receiver accepts it. A repeat has the same `id`. */
  async post(id: string, alert: AlertBody): Promise<void> {
    const body = JSON.stringify(alert);
    const { status } = await this.http.fetch(this.settings.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gateway-alert-id': id, ...this.signatureOf(body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private signatureOf(body: string): Record<string, string> {
    const { secret } = this.settings;
    if (secret === null) return {};
    const seconds = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { 'x-gateway-signature': `t=${seconds},v1=${digest}` };
  }
}
