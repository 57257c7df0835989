import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import {
  type ChargeScript,
  ScriptedStripe,
  type SubscriptionScript,
  toCharge,
  toDispute,
  toSubscription,
  WEBHOOK_SECRET,
} from './support/scripted-stripe.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const DAY_S = 86_400;
const FREE = 7;
const ALL = 17;

let stripe: ScriptedStripe;
let gateway: TestGateway;
let member: ConsoleClient;
let subscriptions = 0;

beforeAll(async () => {
  stripe = await ScriptedStripe.start();
  gateway = await TestGateway.start({
    env: {
      SIMULATOR: 'on',
      APP_URL: 'https://gateway.example.com',
      STRIPE_SECRET_KEY: 'sk_test_of_the_gateway',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_BASE_URL: stripe.url,
    },
    config: { 'gateway.yaml': 'payments: { prices: { pro: price_pro } }' },
  });
});
afterAll(async () => {
  await gateway?.stop();
  await stripe?.stop();
});
beforeEach(async () => {
  stripe.requests.length = 0;
  member = await ConsoleClient.as(gateway, 'member');
});

const now = () => Math.floor(Date.now() / 1000);

function subscribe(user: { id: string }, script: Partial<SubscriptionScript> = {}): SubscriptionScript {
  const id = `sub_${++subscriptions}`;
  const paid = { periodStart: now() - DAY_S, periodEnd: now() + 29 * DAY_S };
  const subscription = { id, customer: `cus_${id}`, userId: user.id, status: 'active', ...paid, ...script };
  stripe.subscriptions.set(id, subscription);
  return subscription;
}

async function deliver({ body, signature }: { body: string; signature: string }): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  return fetch(`${gateway.url}/api/payments/stripe/webhook`, { method: 'POST', headers, body });
}

/** What the event holds may be out of date: it is the script that counts. */
async function tell(script: SubscriptionScript, type = 'customer.subscription.updated', id?: string) {
  return (await deliver(stripe.event(type, toSubscription(script), id === undefined ? {} : { id }))).status;
}

/** The charge that paid for what the subscription's period is now. */
function charge({ id, periodStart, periodEnd }: SubscriptionScript, script: Partial<ChargeScript> = {}): ChargeScript {
  const paid = { id: `ch_${id}_${periodEnd}`, subscription: id, periodStart, periodEnd, ...script };
  stripe.charges.set(paid.id, paid);
  return paid;
}

/** What Stripe sends is the charge as it was at that moment, or its dispute. */
async function tellCharge(script: ChargeScript, type = 'charge.refunded') {
  const object = type.startsWith('charge.dispute') ? toDispute(script) : toCharge(script);
  return (await deliver(stripe.event(type, object))).status;
}

async function modelsOf({ headers }: TestUser): Promise<number> {
  return ((await (await gateway.get('/v1/models', headers)).json()) as object[]).length;
}

async function grantsOf({ id }: { id: string }) {
  return gateway.database.query<{ plan_id: string; ends_at: Date; source: string }>(
    'SELECT plan_id, ends_at, source FROM plan_grants WHERE user_id = $1 AND ends_at > now()',
    [id],
  );
}

async function changesOf({ id }: { id: string }): Promise<string[]> {
  const rows = await gateway.database.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE target_id = $1 AND action LIKE 'plan.%' ORDER BY id`,
    [id],
  );
  return rows.map(({ action }) => action);
}

describe('whoever buys a plan', () => {
  it('is sent to a checkout that knows the price and the user', async () => {
    expect((await member.get('/api/payments')).body).toEqual({ offers: [{ planId: 'pro', name: 'Pro' }], paid: [] });
    const { status, body } = await member.post('/api/payments/checkout', { planId: 'pro' });
    expect([status, body]).toEqual([200, { url: 'https://checkout.stripe.com/c/pay/cs_test_1' }]);
    const [asked] = stripe.requests;
    expect(asked).toMatchObject({ path: '/v1/checkout/sessions', authorization: 'Bearer sk_test_of_the_gateway' });
    expect(Object.fromEntries(asked?.fields ?? [])).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro',
      'line_items[0][quantity]': '1',
      client_reference_id: member.user.id,
      'subscription_data[metadata][gateway_user]': member.user.id,
      success_url: 'https://gateway.example.com/account',
      cancel_url: 'https://gateway.example.com/account',
      customer_email: member.user.email,
    });
  });

  it('has it up to the second to which it is paid, within a second of the event', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    expect(await modelsOf(user)).toBe(FREE);
    expect(await tell(script, 'customer.subscription.created')).toBe(204);
    await eventually(async () => (await modelsOf(user)) === ALL, 1000);
    expect(await grantsOf(user)).toEqual([
      { plan_id: 'pro', ends_at: new Date(script.periodEnd * 1000), source: 'stripe' },
    ]);
  });

  it('manages it in the portal, and cannot buy it twice', async () => {
    expect((await member.post('/api/payments/portal')).status).toBe(404);
    const script = subscribe(member.user);
    await tell(script);
    expect((await member.get('/api/payments')).body).toMatchObject({
      paid: [
        {
          planId: 'pro',
          status: 'active',
          running: true,
          paidUntil: new Date(script.periodEnd * 1000).toISOString(),
          ends: false,
        },
      ],
    });
    stripe.requests.length = 0;
    expect((await member.post('/api/payments/portal')).body).toEqual({ url: 'https://billing.stripe.com/p/session/1' });
    expect(stripe.requests[0]?.fields.get('customer')).toBe(script.customer);
    expect((await member.post('/api/payments/checkout', { planId: 'pro' })).body).toMatchObject({
      error: { param: 'planId' },
    });
  });

  it('cannot buy a plan that is not sold', async () => {
    const { status, body } = await member.post('/api/payments/checkout', { planId: 'free' });
    expect([status, body]).toMatchObject([400, { error: { param: 'planId' } }]);
  });

  it('is sent back to the checkout as the customer of before', async () => {
    const script = subscribe(member.user, { status: 'canceled', endedAt: now() - DAY_S });
    await tell(script);
    stripe.requests.length = 0;
    await member.post('/api/payments/checkout', { planId: 'pro' });
    expect(stripe.requests[0]?.fields.get('customer')).toBe(script.customer);
    expect(stripe.requests[0]?.fields.get('customer_email')).toBeNull();
  });
});

describe('the grant follows the paid period', () => {
  it('through renewal, a payment that fails, one that succeeds, and the end', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    await tell(script);
    script.periodStart += DAY_S / 2;
    script.periodEnd += 30 * DAY_S;
    await tell(script);
    expect((await grantsOf(user))[0]?.ends_at).toEqual(new Date(script.periodEnd * 1000));
    script.status = 'past_due';
    await tell(script, 'invoice.payment_failed');
    expect(await grantsOf(user)).toHaveLength(1);
    await tell(script);
    expect(await grantsOf(user)).toEqual([]);
    script.status = 'active';
    await tell(script);
    expect(await grantsOf(user)).toHaveLength(1);
    script.status = 'canceled';
    script.endedAt = now();
    await tell(script, 'customer.subscription.deleted');
    expect(await grantsOf(user)).toEqual([]);
    await eventually(async () => (await modelsOf(user)) === FREE, 1000);
    expect(await changesOf(user)).toEqual(['plan.grant', 'plan.extend', 'plan.revoke', 'plan.grant', 'plan.revoke']);
  });

  it('begins with the checkout or the invoice, whichever is told first', async () => {
    const [one, other] = [await gateway.createUser(), await gateway.createUser()];
    const bought = subscribe(one);
    await deliver(stripe.event('checkout.session.completed', { object: 'checkout.session', subscription: bought.id }));
    expect(await grantsOf(one)).toHaveLength(1);
    const renewed = subscribe(other);
    const parent = { type: 'subscription_details', subscription_details: { subscription: renewed.id } };
    await deliver(stripe.event('invoice.paid', { object: 'invoice', parent }));
    expect(await grantsOf(other)).toHaveLength(1);
  });

  it('whatever the order of the events: an old one changes nothing', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    const old = stripe.event('customer.subscription.updated', toSubscription(script));
    script.status = 'canceled';
    script.endedAt = now();
    await tell(script, 'customer.subscription.deleted');
    expect((await deliver(old)).status).toBe(204);
    expect(await grantsOf(user)).toEqual([]);
  });

  it('and leaves what an administrator granted alone', async () => {
    const user = await gateway.createUser({ plan: 'pro' });
    const script = subscribe(user);
    await tell(script);
    script.status = 'canceled';
    script.endedAt = now();
    await tell(script);
    expect(await modelsOf(user)).toBe(ALL);
  });
});

describe('a payment that is taken back', () => {
  it.each<[string, string, Partial<ChargeScript>]>([
    ['a full refund', 'charge.refunded', { refunded: true }],
    ['a dispute', 'charge.dispute.created', { dispute: 'needs_response' }],
    ['a lost dispute', 'charge.dispute.closed', { dispute: 'lost' }],
  ])('ends the plan by %s, within a second of the event, for good', async (_what, type, taken) => {
    const script = subscribe(member.user);
    await tell(script);
    const paid = charge(script, taken);
    expect(await tellCharge(paid, type)).toBe(204);
    expect(await grantsOf(member.user)).toEqual([]);
    expect(await changesOf(member.user)).toEqual(['plan.grant', 'plan.revoke']);
    await tell(script);
    expect(await grantsOf(member.user)).toEqual([]);
    expect((await member.get('/api/payments')).body).toMatchObject({
      paid: [{ status: 'active', paidUntil: new Date(script.periodStart * 1000).toISOString() }],
    });
  });

  it.each<[string, string, Partial<ChargeScript>]>([
    ['a partial refund', 'charge.refunded', {}],
    ['an inquiry of the bank', 'charge.dispute.created', { dispute: 'warning_needs_response' }],
    ['the refund of something else', 'charge.refunded', { refunded: true, price: 'price_of_a_mug' }],
  ])('leaves the plan alone by %s', async (_what, type, taken) => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    await tell(script);
    expect(await tellCharge(charge(script, taken), type)).toBe(204);
    expect(await grantsOf(user)).toHaveLength(1);
  });

  it('ends only what it paid for: not another period, subscription or an administrator’s grant', async () => {
    const [user, granted] = [await gateway.createUser(), await gateway.createUser({ plan: 'pro' })];
    const script = subscribe(user);
    const first = charge(script, { refunded: true });
    script.periodStart = script.periodEnd;
    script.periodEnd += 30 * DAY_S;
    await tell(script);
    await tellCharge(first);
    expect((await grantsOf(user))[0]?.ends_at).toEqual(new Date(script.periodEnd * 1000));
    const other = subscribe(user);
    await tell(other);
    await tellCharge(charge(script, { refunded: true }));
    expect((await grantsOf(user))[0]?.ends_at).toEqual(new Date(other.periodEnd * 1000));
    await tellCharge(charge(subscribe(granted), { refunded: true }));
    expect(await modelsOf(granted)).toBe(ALL);
  });

  it('is known when the subscription is told of later, and the next period that is paid begins a grant', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    await tellCharge(charge(script, { refunded: true }));
    await tell(script, 'customer.subscription.created');
    expect(await changesOf(user)).toEqual([]);
    script.periodStart = script.periodEnd;
    script.periodEnd += 30 * DAY_S;
    await tell(script);
    expect(await grantsOf(user)).toHaveLength(1);
  });

  it('counts again when the dispute is won or the refund fails', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    const paid = charge(script, { dispute: 'needs_response' });
    await tellCharge(paid, 'charge.dispute.created');
    expect(await grantsOf(user)).toEqual([]);
    paid.dispute = 'won';
    await tellCharge(paid, 'charge.dispute.closed');
    expect(await grantsOf(user)).toHaveLength(1);
    paid.refunded = true;
    await tellCharge(paid);
    expect(await grantsOf(user)).toEqual([]);
    paid.refunded = false;
    await deliver(stripe.event('refund.failed', { id: 're_1', object: 'refund', charge: paid.id }));
    expect(await grantsOf(user)).toHaveLength(1);
  });

  it('is put away when the gateway did not sell it', async () => {
    const of = { id: 'ch_of_a_shop', periodStart: now(), periodEnd: now() + DAY_S, refunded: true };
    stripe.charges.set(of.id, of);
    expect(await tellCharge(of)).toBe(204);
    expect(await tellCharge({ ...of, id: 'ch_of_another_account' })).toBe(204);
  });
});

describe('while Stripe is slow', () => {
  const EVENTS = 14;

  it('events wait for it without the database, and the console answers', async () => {
    const users = await Promise.all(Array.from({ length: EVENTS }, () => gateway.createUser()));
    const release = hold();
    const delivered = users.map((user) => tell(subscribe(user)));
    try {
      await eventually(async () => stripe.requests.length === EVENTS, 5000);
      expect((await member.get('/api/keys')).status).toBe(200);
    } finally {
      release();
    }
    expect(await Promise.all(delivered)).toEqual(Array(EVENTS).fill(204));
    for (const user of users) expect(await grantsOf(user)).toHaveLength(1);
  });

  it('an answer that comes late does not replace one that was asked for after it', async () => {
    const user = await gateway.createUser();
    const script = subscribe(user);
    const release = hold();
    const late = tell(script, 'customer.subscription.created');
    await eventually(async () => stripe.requests.length === 1, 5000);
    stripe.held = null;
    script.status = 'canceled';
    script.endedAt = now();
    expect(await tell(script, 'customer.subscription.deleted')).toBe(204);
    release();
    expect(await late).toBe(204);
    expect(await grantsOf(user)).toEqual([]);
  });

  it('two subscriptions of one user, told at once, are both paid', async () => {
    const user = await gateway.createUser();
    const told = [subscribe(user), subscribe(user, { periodEnd: now() + 60 * DAY_S })];
    await Promise.all(told.map((script) => tell(script)));
    expect((await grantsOf(user))[0]?.ends_at).toEqual(new Date((told[1]?.periodEnd ?? 0) * 1000));
  });
});

/** Stripe's answers wait until the returned function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  stripe.held = promise;
  return () => {
    stripe.held = null;
    resolve();
  };
}

describe('an event', () => {
  it('is heeded once, however often and at once it comes', async () => {
    const user = await gateway.createUser();
    const event = stripe.event('customer.subscription.created', toSubscription(subscribe(user)));
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await deliver(event)).status));
    expect(statuses).toEqual([204, 204, 204, 204, 204]);
    expect(await changesOf(user)).toEqual(['plan.grant']);
    expect(stripe.requests).toHaveLength(1);
  });

  it('is asked for again while Stripe cannot be asked', async () => {
    const user = await gateway.createUser();
    const event = stripe.event('customer.subscription.created', toSubscription(subscribe(user)));
    stripe.failWith = 400;
    expect((await deliver(event)).status).toBe(503);
    stripe.failWith = null;
    expect(await grantsOf(user)).toEqual([]);
    expect((await deliver(event)).status).toBe(204);
    expect(await grantsOf(user)).toHaveLength(1);
  });

  it.each([
    ['signed with another secret', { secret: 'whsec_of_another' }],
    ['signed with an empty secret', { secret: '' }],
    ['signed ten minutes ago', { at: Date.now() - 600_000 }],
  ])('%s is refused', async (_what, signed) => {
    const user = await gateway.createUser();
    const event = stripe.event('customer.subscription.created', toSubscription(subscribe(user)), signed);
    const response = await deliver(event);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_value' } });
    expect([stripe.requests, await grantsOf(user)]).toEqual([[], []]);
  });

  it('without a signature, or with another body than was signed, is refused', async () => {
    const event = stripe.event('customer.subscription.created', toSubscription(subscribe({ id: 'x' })));
    expect((await deliver({ ...event, signature: '' })).status).toBe(400);
    expect((await deliver({ ...event, body: event.body.replace('created', 'deleted') })).status).toBe(400);
    expect(stripe.requests).toEqual([]);
  });

  it.each([
    ['of a user who is not there', { userId: '00000000-0000-4000-8000-000000000000' }],
    ['of something that is no plan', { price: 'price_of_a_mug' }],
  ])('%s is put away', async (_what, script) => {
    expect(await tell(subscribe(await gateway.createUser(), script))).toBe(204);
  });

  it('of another kind is put away without asking', async () => {
    expect((await deliver(stripe.event('customer.created', { id: 'cus_1', object: 'customer' }))).status).toBe(204);
    expect(stripe.requests).toEqual([]);
  });
});

describe('where nothing is sold', () => {
  it('nothing of it shows', async () => {
    const plain = await TestGateway.start();
    try {
      const client = await ConsoleClient.as(plain, 'member');
      expect((await client.get('/api/session')).body).toMatchObject({ payments: false });
      for (const path of ['/api/payments/checkout', '/api/payments/portal', '/api/payments/stripe/webhook']) {
        expect((await client.post(path, {})).status).toBe(404);
      }
      expect((await client.get('/api/payments')).status).toBe(404);
    } finally {
      await plain.stop();
    }
  });
});
