import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import type { StripeSettings } from '../config/environment.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { Charge, EventSubject, PaidPeriod, StripeEvent, Subscription } from './payments.types.js';

const TIMEOUT_MS = 15_000;

export interface Checkout {
  userId: string;
  email: string;
  customerId: string | null;
  planId: string;
  returnUrl: string;
}

/** The gateway as a client of Stripe, with Stripe's library, which is loaded at its first use. */
@Injectable()
export class StripeService implements OnApplicationShutdown {
  private readonly http: OutboundHttp;
  private loaded: Promise<Stripe> | undefined;

  constructor(@InjectSettings() private readonly settings: Settings) {
    this.http = createOutboundHttp(settings.proxy);
  }

  /** Plan → its price. Empty: nothing is for sale. */
  get prices(): ReadonlyMap<string, string> {
    return this.settings.stripe?.prices ?? new Map();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  /** The address of a page where the user can buy the plan. */
  async checkoutUrl({ userId, email, customerId, planId, returnUrl }: Checkout): Promise<string> {
    const stripe = await this.client();
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: this.prices.get(planId) ?? '', quantity: 1 }],
      client_reference_id: userId,
      subscription_data: { metadata: { gateway_user: userId } },
      success_url: returnUrl,
      cancel_url: returnUrl,
      ...(customerId ? { customer: customerId } : { customer_email: email }),
    });
    if (!url) throw new Error('Stripe gave no address for a checkout');
    return url;
  }

  /** The address of a page where the customer manages purchases. */
  async portalUrl(customerId: string, returnUrl: string): Promise<string> {
    const stripe = await this.client();
    return (await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl })).url;
  }

  /** The current state, which can be newer than the event. */
  async subscription(id: string): Promise<Subscription> {
    const stripe = await this.client();
    return toSubscription(await stripe.subscriptions.retrieve(id), this.prices);
  }

  /** Null if it is not a charge for a plan. */
  async charge(id: string): Promise<Charge | null> {
    return readCharge(await this.client(), id, [...this.prices.values()]);
  }

  /** Throws unless Stripe has signed the body within the last minutes. */
  async verifiedEvent(body: Buffer, signature: string): Promise<StripeEvent> {
    const stripe = await this.client();
    const event = stripe.webhooks.constructEvent(body, signature, this.configured().webhookSecret);
    return { id: event.id, subject: toEventSubject(event) };
  }

  private client(): Promise<Stripe> {
    this.loaded ??= this.load();
    return this.loaded;
  }

  private async load(): Promise<Stripe> {
    const { Stripe: Client } = await import('stripe');
    const { secretKey, baseUrl } = this.configured();
    const at = baseUrl === null ? {} : toAddress(new URL(baseUrl));
    // The library accepts any standard fetch, such as undici's; only the names of their types differ.
    const httpClient = Client.createFetchHttpClient(this.http.fetch as unknown as typeof fetch);
    return new Client(secretKey, { ...at, httpClient, timeout: TIMEOUT_MS, maxNetworkRetries: 2, telemetry: false });
  }

  private configured(): StripeSettings {
    if (!this.settings.stripe) throw new Error('Stripe is not configured');
    return this.settings.stripe;
  }
}

function toAddress({ protocol, hostname, port }: URL) {
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  };
}

/**
 * The subscription or charge to read from Stripe; null if the event concerns neither. Format:
 * https://docs.stripe.com/api/events/types
 */
function toEventSubject(event: Stripe.Event): EventSubject | null {
  const [kind, value] = subjectOf(event);
  return value ? { kind, id: idOf(value) } : null;
}

type Subject = [kind: EventSubject['kind'], value: string | { id: string } | null | undefined];

function subjectOf(event: Stripe.Event): Subject {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return ['subscription', event.data.object];
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return ['subscription', event.data.object.subscription];
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return ['subscription', event.data.object.parent?.subscription_details?.subscription];
    case 'charge.refunded':
      return ['charge', event.data.object];
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return ['charge', event.data.object.charge];
    default:
      return ['subscription', null];
  }
}

/** Stripe's maximum page size; our invoices have a few lines. */
const PAGE = { limit: 100 };
/** Disputes that take no money from us, or not yet: won, prevented, or only an inquiry. */
const HARMLESS = /^(won|prevented|warning_.*)$/;

/**
 * The current state of a charge, and what it paid for: charge → payment intent → invoice → subscription. Null if Stripe
 * has no such charge for this account, or it paid for no invoice.
 */
async function readCharge(stripe: Stripe, id: string, planPrices: readonly string[]): Promise<Charge | null> {
  const charge = await stripe.charges.retrieve(id).catch(nullWhenMissing);
  if (!charge?.payment_intent) return null;
  const payment = { type: 'payment_intent' as const, payment_intent: idOf(charge.payment_intent) };
  const payments = await stripe.invoicePayments.list({ payment, expand: ['data.invoice'], ...PAGE });
  const periods: PaidPeriod[] = [];
  for (const { invoice } of payments.data) {
    const period = await readPeriod(stripe, invoice, planPrices);
    if (period) periods.push(period);
  }
  if (periods.length === 0) return null;
  const disputes = charge.disputed ? (await stripe.disputes.list({ charge: id, ...PAGE })).data : [];
  return { id, isTakenBack: isTakenBack(charge, disputes), periods };
}

async function readPeriod(
  stripe: Stripe,
  invoice: Stripe.InvoicePayment['invoice'],
  planPrices: readonly string[],
): Promise<PaidPeriod | null> {
  if (typeof invoice === 'string' || !('parent' in invoice)) return null;
  const subscription = invoice.parent?.subscription_details?.subscription;
  if (!subscription || !invoice.id) return null;
  const lines = await stripe.invoices.listLineItems(invoice.id, PAGE);
  return toPaidPeriod(idOf(subscription), lines.data, planPrices);
}

/** Whether the charge was fully refunded, or lost to a dispute. After a partial refund the payment stays valid. */
function isTakenBack({ refunded }: Stripe.Charge, disputes: readonly Stripe.Dispute[]): boolean {
  return refunded || disputes.some(({ status }) => !HARMLESS.test(status));
}

/** The period for which an invoice's lines bill a plan; null if they bill no plan. Credits have negative amounts. */
function toPaidPeriod(
  subscriptionId: string,
  lines: readonly Stripe.InvoiceLineItem[],
  planPrices: readonly string[],
): PaidPeriod | null {
  const billed = lines.filter(({ amount, pricing }) => {
    const price = pricing?.price_details?.price;
    return amount > 0 && price !== undefined && planPrices.includes(idOf(price));
  });
  if (billed.length === 0) return null;
  return {
    subscriptionId,
    startsAt: toDate(Math.min(...billed.map(({ period }) => period.start))),
    endsAt: toDate(Math.max(...billed.map(({ period }) => period.end))),
  };
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null;
  throw error;
}

/** Stripe sends either an id or the object itself. */
function idOf(value: string | { id: string }): string {
  return typeof value === 'string' ? value : value.id;
}

function toDate(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}

/** Format: https://docs.stripe.com/api/subscriptions/object */
function toSubscription(received: Stripe.Subscription, prices: ReadonlyMap<string, string>): Subscription {
  const plans = new Map([...prices].map(([plan, price]) => [price, plan]));
  const item = received.items.data.find(({ price }) => plans.has(price.id));
  return {
    id: received.id,
    customerId: idOf(received.customer),
    userId: received.metadata.gateway_user ?? null,
    planId: item ? (plans.get(item.price.id) ?? null) : null,
    status: received.status,
    paidUntil: item ? paidUntil(received, item) : null,
    ends: received.cancel_at_period_end || received.cancel_at !== null,
  };
}

/** A period starts before it is paid; if its payment has failed so far, it is unpaid. */
function paidUntil({ status, ended_at: endedAt }: Stripe.Subscription, item: Stripe.SubscriptionItem): Date | null {
  if (status === 'active' || status === 'trialing') return toDate(item.current_period_end);
  if (status === 'past_due' || status === 'unpaid') return toDate(item.current_period_start);
  if (status === 'canceled' && endedAt !== null) return toDate(Math.min(endedAt, item.current_period_end));
  return null;
}
