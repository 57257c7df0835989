import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { ALL, DAY_S, FREE, now, PaymentsTest } from './support/payments-test.js';
import { toSubscription } from './support/scripted-stripe.js';
import { TestGateway } from './support/test-gateway.js';

let member: ConsoleClient;

const payments = await PaymentsTest.start();
beforeEach(async () => {
  payments.stripe.requests.length = 0;
  member = await ConsoleClient.as(payments.gateway, 'member');
});

describe('a user who buys a plan', () => {
  it('is sent to a checkout with the price and the user', async () => {
    expect((await member.get('/api/payments')).body).toEqual({ offers: [{ planId: 'pro', name: 'Pro' }], paid: [] });
    const { status, body } = await member.post('/api/payments/checkout', { planId: 'pro' });
    expect([status, body]).toEqual([200, { url: 'https://checkout.stripe.com/c/pay/cs_test_1' }]);
    const [requested] = payments.stripe.requests;
    expect(requested).toMatchObject({ path: '/v1/checkout/sessions', authorization: 'Bearer sk_test_of_the_gateway' });
    expect(Object.fromEntries(requested?.fields ?? [])).toEqual({
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

  it('has it exactly until the end of the paid period, within a second of the event', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    expect(await payments.modelsOf(user)).toBe(FREE);
    expect(await payments.tell(script, 'customer.subscription.created')).toBe(204);
    await eventually(async () => (await payments.modelsOf(user)) === ALL, 1000);
    expect(await payments.grantsOf(user)).toEqual([
      { plan_id: 'pro', ends_at: new Date(script.periodEnd * 1000), source: 'stripe' },
    ]);
  });

  it('manages it in the portal, and cannot buy it twice', async () => {
    expect((await member.post('/api/payments/portal')).status).toBe(404);
    const script = payments.subscribe(member.user);
    await payments.tell(script);
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
    payments.stripe.requests.length = 0;
    expect((await member.post('/api/payments/portal')).body).toEqual({ url: 'https://billing.stripe.com/p/session/1' });
    expect(payments.stripe.requests[0]?.fields.get('customer')).toBe(script.customer);
    expect((await member.post('/api/payments/checkout', { planId: 'pro' })).body).toMatchObject({
      error: { param: 'planId' },
    });
  });

  it('cannot buy a plan that is not sold', async () => {
    const { status, body } = await member.post('/api/payments/checkout', { planId: 'free' });
    expect([status, body]).toMatchObject([400, { error: { param: 'planId' } }]);
  });

  it('is sent to the checkout again as the same customer', async () => {
    const script = payments.subscribe(member.user, { status: 'canceled', endedAt: now() - DAY_S });
    await payments.tell(script);
    payments.stripe.requests.length = 0;
    await member.post('/api/payments/checkout', { planId: 'pro' });
    expect(payments.stripe.requests[0]?.fields.get('customer')).toBe(script.customer);
    expect(payments.stripe.requests[0]?.fields.get('customer_email')).toBeNull();
  });
});

describe('the grant follows the paid period', () => {
  it('the grant follows the paid period through renewal, a failed payment, a successful one, and the end', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    await payments.tell(script);
    script.periodStart += DAY_S / 2;
    script.periodEnd += 30 * DAY_S;
    await payments.tell(script);
    expect((await payments.grantsOf(user))[0]?.ends_at).toEqual(new Date(script.periodEnd * 1000));
    script.status = 'past_due';
    await payments.tell(script, 'invoice.payment_failed');
    expect(await payments.grantsOf(user)).toHaveLength(1);
    await payments.tell(script);
    expect(await payments.grantsOf(user)).toEqual([]);
    script.status = 'active';
    await payments.tell(script);
    expect(await payments.grantsOf(user)).toHaveLength(1);
    script.status = 'canceled';
    script.endedAt = now();
    await payments.tell(script, 'customer.subscription.deleted');
    expect(await payments.grantsOf(user)).toEqual([]);
    await eventually(async () => (await payments.modelsOf(user)) === FREE, 1000);
    expect(await payments.changesOf(user)).toEqual([
      'plan.grant',
      'plan.extend',
      'plan.revoke',
      'plan.grant',
      'plan.revoke',
    ]);
  });

  it('begins with the checkout or the invoice, whichever is reported first', async () => {
    const [one, other] = [await payments.gateway.createUser(), await payments.gateway.createUser()];
    const bought = payments.subscribe(one);
    await payments.deliver(
      payments.stripe.event('checkout.session.completed', { object: 'checkout.session', subscription: bought.id }),
    );
    expect(await payments.grantsOf(one)).toHaveLength(1);
    const renewed = payments.subscribe(other);
    const parent = { type: 'subscription_details', subscription_details: { subscription: renewed.id } };
    await payments.deliver(payments.stripe.event('invoice.paid', { object: 'invoice', parent }));
    expect(await payments.grantsOf(other)).toHaveLength(1);
  });

  it('regardless of the order of events: an old one changes nothing', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    const old = payments.stripe.event('customer.subscription.updated', toSubscription(script));
    script.status = 'canceled';
    script.endedAt = now();
    await payments.tell(script, 'customer.subscription.deleted');
    expect((await payments.deliver(old)).status).toBe(204);
    expect(await payments.grantsOf(user)).toEqual([]);
  });

  it('the grant follows the paid period and does not change grants of administrators', async () => {
    const user = await payments.gateway.createUser({ plan: 'pro' });
    const script = payments.subscribe(user);
    await payments.tell(script);
    script.status = 'canceled';
    script.endedAt = now();
    await payments.tell(script);
    expect(await payments.modelsOf(user)).toBe(ALL);
  });
});

describe('an event', () => {
  it('is handled once, even if it is sent repeatedly or concurrently', async () => {
    const user = await payments.gateway.createUser();
    const event = payments.stripe.event('customer.subscription.created', toSubscription(payments.subscribe(user)));
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await payments.deliver(event)).status));
    expect(statuses).toEqual([204, 204, 204, 204, 204]);
    expect(await payments.changesOf(user)).toEqual(['plan.grant']);
    expect(payments.stripe.requests).toHaveLength(1);
  });

  it('is requested again while Stripe cannot be reached', async () => {
    const user = await payments.gateway.createUser();
    const event = payments.stripe.event('customer.subscription.created', toSubscription(payments.subscribe(user)));
    payments.stripe.failWith = 400;
    expect((await payments.deliver(event)).status).toBe(503);
    payments.stripe.failWith = null;
    expect(await payments.grantsOf(user)).toEqual([]);
    expect((await payments.deliver(event)).status).toBe(204);
    expect(await payments.grantsOf(user)).toHaveLength(1);
  });

  it.each([
    ['signed with another secret', { secret: 'whsec_of_another' }],
    ['signed with an empty secret', { secret: '' }],
    ['signed ten minutes ago', { at: Date.now() - 600_000 }],
  ])('%s is refused', async (_what, signed) => {
    const user = await payments.gateway.createUser();
    const event = payments.stripe.event(
      'customer.subscription.created',
      toSubscription(payments.subscribe(user)),
      signed,
    );
    const response = await payments.deliver(event);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_value' } });
    expect([payments.stripe.requests, await payments.grantsOf(user)]).toEqual([[], []]);
  });

  it('an event without a signature, or with a body that was not signed, is refused', async () => {
    const event = payments.stripe.event(
      'customer.subscription.created',
      toSubscription(payments.subscribe({ id: 'x' })),
    );
    expect((await payments.deliver({ ...event, signature: '' })).status).toBe(400);
    expect((await payments.deliver({ ...event, body: event.body.replace('created', 'deleted') })).status).toBe(400);
    expect(payments.stripe.requests).toEqual([]);
  });

  it.each([
    ['of a user who is not there', { userId: '00000000-0000-4000-8000-000000000000' }],
    ['of something that is no plan', { price: 'price_of_a_mug' }],
  ])('%s is acknowledged without effect', async (_what, script) => {
    expect(await payments.tell(payments.subscribe(await payments.gateway.createUser(), script))).toBe(204);
  });

  it('an event of another kind is acknowledged without a request to Stripe', async () => {
    expect(
      (await payments.deliver(payments.stripe.event('customer.created', { id: 'cus_1', object: 'customer' }))).status,
    ).toBe(204);
    expect(payments.stripe.requests).toEqual([]);
  });
});

describe('without plans for sale', () => {
  it('payments are not visible', async () => {
    const plain = await TestGateway.start();
    const client = await ConsoleClient.as(plain, 'member');
    expect((await client.get('/api/session')).body).toMatchObject({ payments: false });
    for (const path of ['/api/payments/checkout', '/api/payments/portal', '/api/payments/stripe/webhook']) {
      expect((await client.post(path, {})).status).toBe(404);
    }
    expect((await client.get('/api/payments')).status).toBe(404);
  });
});
