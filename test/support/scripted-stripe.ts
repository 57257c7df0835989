import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterFile } from './after-file.js';

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

/** A charge for a subscription's period; without a subscription it paid for something else. */
export interface ChargeScript {
  id: string;
  subscription?: string;
  /** Unix seconds. */
  periodStart: number;
  periodEnd: number;
  refunded?: boolean;
  /** The status of its dispute. */
  dispute?: string;
  price?: string;
}

export const WEBHOOK_SECRET = 'whsec_of_the_test';

/** The part of Stripe's API that the gateway uses, in version 2026-10-28, with scripted responses. */
export class ScriptedStripe {
  readonly requests: StripeRequest[] = [];
  readonly subscriptions = new Map<string, SubscriptionScript>();
  readonly charges = new Map<string, ChargeScript>();
  /** Responses wait for it. */
  paused: Promise<void> | null = null;
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
      await stripe.paused;
      response.writeHead(stripe.failWith ?? (body ? 200 : 404), { 'content-type': 'application/json' });
      response.end(JSON.stringify(body ?? { error: { type: 'api_error', message: 'No.' } }));
    });
    return stripe;
  }

  /** A signed webhook event; `object` as Stripe sends it. */
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

  readonly stop = afterFile(async () => {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  });

  private answer(method: string, path: string): object | null {
    if (method === 'POST' && path === '/v1/checkout/sessions')
      return { id: 'cs_test_1', object: 'checkout.session', url: 'https://checkout.stripe.com/c/pay/cs_test_1' };
    if (method === 'POST' && path === '/v1/billing_portal/sessions')
      return { id: 'bps_1', object: 'billing_portal.session', url: 'https://billing.stripe.com/p/session/1' };
    const { pathname, searchParams } = new URL(path, this.url);
    const [, , kind = '', id = ''] = pathname.split('/');
    const subscription = this.subscriptions.get(id);
    if (kind === 'subscriptions') return subscription ? toSubscription(subscription) : null;
    const charge = this.charges.get(searchParams.get('charge') ?? id.replace(/^in_/, ''));
    if (kind === 'invoice_payments') return list(this.paymentsOf(searchParams.get('payment[payment_intent]') ?? ''));
    if (!charge) return null;
    if (kind === 'charges') return toCharge(charge);
    if (kind === 'disputes') return list([toDispute(charge)]);
    return kind === 'invoices' ? list([toLine(charge)]) : null;
  }

  private paymentsOf(intent: string): object[] {
    const charge = this.charges.get(intent.replace(/^pi_/, ''));
    return charge?.subscription === undefined ? [] : [toInvoicePayment(charge)];
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

function list(data: object[]): object {
  return { object: 'list', data, has_more: false, url: '/v1/of_this_test' };
}

/** Since version 2025-03-31 neither a charge nor its payment intent names an invoice. */
export function toCharge({ id, refunded = false, dispute }: ChargeScript): object {
  return {
    id,
    object: 'charge',
    amount: 2000,
    amount_captured: 2000,
    amount_refunded: refunded ? 2000 : 500,
    refunded,
    disputed: dispute !== undefined,
    payment_intent: `pi_${id}`,
    paid: true,
    status: 'succeeded',
  };
}

export function toDispute({ id, dispute }: ChargeScript): object {
  return { id: `du_${id}`, object: 'dispute', amount: 2000, charge: id, payment_intent: `pi_${id}`, status: dispute };
}

function toInvoicePayment({ id, subscription }: ChargeScript): object {
  const parent = { type: 'subscription_details', quote_details: null, subscription_details: { subscription } };
  return {
    id: `inpay_${id}`,
    object: 'invoice_payment',
    status: 'paid',
    invoice: { id: `in_${id}`, object: 'invoice', parent },
    payment: { type: 'payment_intent', payment_intent: `pi_${id}` },
  };
}

function toLine({ id, periodStart, periodEnd, price = 'price_pro' }: ChargeScript): object {
  return {
    id: `il_${id}`,
    object: 'line_item',
    amount: 2000,
    period: { start: periodStart, end: periodEnd },
    pricing: { type: 'price_details', price_details: { price, product: 'prod_1' }, unit_amount_decimal: '2000' },
  };
}
