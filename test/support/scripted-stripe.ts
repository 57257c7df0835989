import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StripeRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  fields: URLSearchParams;
}

export interface SubscriptionScript {
  id: string;
  customer: string;
  userId?: string;
  price?: string;
  status: string;
  /** Unix seconds. */
  periodStart: number;
  periodEnd: number;
  endedAt?: number;
  cancelAtPeriodEnd?: boolean;
}

export const WEBHOOK_SECRET = 'whsec_of_the_test';

/** Stripe's API as far as the gateway uses it, in the shapes of version 2026-10-28; it says what it is told to. */
export class ScriptedStripe {
  readonly requests: StripeRequest[] = [];
  readonly subscriptions = new Map<string, SubscriptionScript>();
  /** Answers everything with this status. */
  failWith: number | null = null;
  private events = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ScriptedStripe> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stripe = new ScriptedStripe(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (request, response) => {
      const { method = '', url: path = '', headers } = request;
      const fields = new URLSearchParams(await text(request));
      stripe.requests.push({ method, path, authorization: headers.authorization, fields });
      const body = stripe.failWith === null ? stripe.answer(method, path) : null;
      response.writeHead(stripe.failWith ?? (body ? 200 : 404), { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { error: { type: 'api_error', message: 'No.' } }));
    });
    return stripe;
  }

  /** An event with its signature, as it comes over the wire; `object` as Stripe sends it. */
  event(type: string, object: object, { id = `evt_${++this.events}`, secret = WEBHOOK_SECRET, at = Date.now() } = {}) {
    const body = JSON.stringify({
      id,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(at / 1000),
      data: { object },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
    const seconds = Math.floor(at / 1000);
    const hash = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { body, signature: `t=${seconds},v1=${hash}` };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(method: string, path: string): object | null {
    if (method === 'POST' && path === '/v1/checkout/sessions')
      return { id: 'cs_test_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_test_1' };
    if (method === 'POST' && path === '/v1/billing_portal/sessions')
      return { id: 'bps_1', object: 'billing_portal.session', url: 'https://billing.stripe.com/p/session/1' };
    const id = /^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1];
    const script = id === undefined ? undefined : this.subscriptions.get(id);
    return script ? toSubscription(script) : null;
  }
}

export function toSubscription(script: SubscriptionScript): object {
  const { id, customer, userId, price = 'price_pro', status, periodStart, periodEnd } = script;
  const item = {
    id: `si_${id}`,
    object: 'subscription_item',
    current_period_start: periodStart,
    current_period_end: periodEnd,
    price: { id: price, object: 'price', currency: 'eur', recurring: { interval: 'month', interval_count: 1 } },
    quantity: 1,
    subscription: id,
  };
  return {
    id,
    object: 'subscription',
    customer,
    status,
    items: { object: 'list', data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: userId === undefined ? {} : { gateway_user: userId },
    cancel_at: null,
    cancel_at_period_end: script.cancelAtPeriodEnd ?? false,
    canceled_at: script.endedAt ?? null,
    ended_at: script.endedAt ?? null,
    start_date: periodStart,
  };
}
