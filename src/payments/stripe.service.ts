import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { StripeSettings } from '../config/stripe.settings.js';
import type { Charge, StripeEvent, Subscription } from './payments.types.js';
import { readCharge } from './stripe-charge.js';
import { toEventSubject } from './stripe-event.js';
import { toSubscription } from './subscription.js';

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
