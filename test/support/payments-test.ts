import {
  type ChargeScript,
  ScriptedStripe,
  type SubscriptionScript,
  toCharge,
  toDispute,
  toSubscription,
  WEBHOOK_SECRET,
} from './scripted-stripe.js';
import { TestGateway, type TestUser } from './test-gateway.js';

export const DAY_S = 86_400;

/** Numbers of models in the default plan and in the sold one. */
export const FREE = 7;
export const ALL = 17;

export const now = () => Math.floor(Date.now() / 1000);

interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

/** A gateway that sells the plan `pro` through a scripted Stripe. */
export class PaymentsTest {
  private subscriptions = 0;

  private constructor(
    readonly stripe: ScriptedStripe,
    readonly gateway: TestGateway,
  ) {}

  static async start(): Promise<PaymentsTest> {
    const stripe = await ScriptedStripe.start();
    const gateway = await TestGateway.start({
      env: {
        SIMULATOR: 'on',
        APP_URL: 'https://gateway.example.com',
        STRIPE_SECRET_KEY: 'sk_test_of_the_gateway',
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_BASE_URL: stripe.url,
      },
      config: { 'gateway.yaml': 'payments: { prices: { pro: price_pro } }' },
    });
    return new PaymentsTest(stripe, gateway);
  }

  subscribe(user: { id: string }, script: Partial<SubscriptionScript> = {}): SubscriptionScript {
    const id = `sub_${++this.subscriptions}`;
    const paid = { periodStart: now() - DAY_S, periodEnd: now() + 29 * DAY_S };
    const subscription = { id, customer: `cus_${id}`, userId: user.id, status: 'active', ...paid, ...script };
    this.stripe.subscriptions.set(id, subscription);
    return subscription;
  }

  /** The charge for the subscription's current period. */
  charge({ id, periodStart, periodEnd }: SubscriptionScript, script: Partial<ChargeScript> = {}): ChargeScript {
    const paid = { id: `ch_${id}_${periodEnd}`, subscription: id, periodStart, periodEnd, ...script };
    this.stripe.charges.set(paid.id, paid);
    return paid;
  }

  deliver({ body, signature }: SignedEvent): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return fetch(`${this.gateway.url}/api/payments/stripe/webhook`, { method: 'POST', headers, body });
  }

  /** The event's object may be out of date: the script counts. */
  async tell(script: SubscriptionScript, type = 'customer.subscription.updated'): Promise<number> {
    return (await this.deliver(this.stripe.event(type, toSubscription(script)))).status;
  }

  /** Stripe sends the charge in its state at that time, or its dispute. */
  async tellCharge(script: ChargeScript, type = 'charge.refunded'): Promise<number> {
    const object = type.startsWith('charge.dispute') ? toDispute(script) : toCharge(script);
    return (await this.deliver(this.stripe.event(type, object))).status;
  }

  async modelsOf({ headers }: TestUser): Promise<number> {
    return ((await (await this.gateway.get('/v1/models', headers)).json()) as object[]).length;
  }

  grantsOf({ id }: { id: string }) {
    return this.gateway.database.query<{ plan_id: string; ends_at: Date; source: string }>(
      'SELECT plan_id, ends_at, source FROM plan_grants WHERE user_id = $1 AND ends_at > now()',
      [id],
    );
  }

  async changesOf({ id }: { id: string }): Promise<string[]> {
    const rows = await this.gateway.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE target_id = $1 AND action LIKE 'plan.%' ORDER BY id`,
      [id],
    );
    return rows.map(({ action }) => action);
  }
}
