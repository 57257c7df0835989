import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { ALL, DAY_S, now, PaymentsTest } from './support/payments-test.js';
import type { ChargeScript } from './support/scripted-stripe.js';

let member: ConsoleClient;

const payments = await PaymentsTest.start();
beforeEach(async () => {
  payments.stripe.requests.length = 0;
  member = await ConsoleClient.as(payments.gateway, 'member');
});

describe('a refunded payment', () => {
  it.each<[string, string, Partial<ChargeScript>]>([
    ['a full refund', 'charge.refunded', { refunded: true }],
    ['a dispute', 'charge.dispute.created', { dispute: 'needs_response' }],
    ['a lost dispute', 'charge.dispute.closed', { dispute: 'lost' }],
  ])('ends the plan permanently after %s, within a second of the event', async (_what, type, taken) => {
    const script = payments.subscribe(member.user);
    await payments.tell(script);
    const paid = payments.charge(script, taken);
    expect(await payments.tellCharge(paid, type)).toBe(204);
    expect(await payments.grantsOf(member.user)).toEqual([]);
    expect(await payments.changesOf(member.user)).toEqual(['plan.grant', 'plan.revoke']);
    await payments.tell(script);
    expect(await payments.grantsOf(member.user)).toEqual([]);
    expect((await member.get('/api/payments')).body).toMatchObject({
      paid: [{ status: 'active', paidUntil: new Date(script.periodStart * 1000).toISOString() }],
    });
  });

  it.each<[string, string, Partial<ChargeScript>]>([
    ['a partial refund', 'charge.refunded', {}],
    ['an inquiry of the bank', 'charge.dispute.created', { dispute: 'warning_needs_response' }],
    ['the refund of something else', 'charge.refunded', { refunded: true, price: 'price_of_a_mug' }],
  ])('does not end the plan after %s', async (_what, type, taken) => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    await payments.tell(script);
    expect(await payments.tellCharge(payments.charge(script, taken), type)).toBe(204);
    expect(await payments.grantsOf(user)).toHaveLength(1);
  });

  it('ends only what it paid for: not another period, subscription or an administrator’s grant', async () => {
    const [user, granted] = [await payments.gateway.createUser(), await payments.gateway.createUser({ plan: 'pro' })];
    const script = payments.subscribe(user);
    const first = payments.charge(script, { refunded: true });
    script.periodStart = script.periodEnd;
    script.periodEnd += 30 * DAY_S;
    await payments.tell(script);
    await payments.tellCharge(first);
    expect((await payments.grantsOf(user))[0]?.ends_at).toEqual(new Date(script.periodEnd * 1000));
    const other = payments.subscribe(user);
    await payments.tell(other);
    await payments.tellCharge(payments.charge(script, { refunded: true }));
    expect((await payments.grantsOf(user))[0]?.ends_at).toEqual(new Date(other.periodEnd * 1000));
    await payments.tellCharge(payments.charge(payments.subscribe(granted), { refunded: true }));
    expect(await payments.modelsOf(granted)).toBe(ALL);
  });

  it('counts even if the subscription is reported later, and the next paid period starts a grant', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    await payments.tellCharge(payments.charge(script, { refunded: true }));
    await payments.tell(script, 'customer.subscription.created');
    expect(await payments.changesOf(user)).toEqual([]);
    script.periodStart = script.periodEnd;
    script.periodEnd += 30 * DAY_S;
    await payments.tell(script);
    expect(await payments.grantsOf(user)).toHaveLength(1);
  });

  it('counts again when the dispute is won or the refund fails', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    const paid = payments.charge(script, { dispute: 'needs_response' });
    await payments.tellCharge(paid, 'charge.dispute.created');
    expect(await payments.grantsOf(user)).toEqual([]);
    paid.dispute = 'won';
    await payments.tellCharge(paid, 'charge.dispute.closed');
    expect(await payments.grantsOf(user)).toHaveLength(1);
    paid.refunded = true;
    await payments.tellCharge(paid);
    expect(await payments.grantsOf(user)).toEqual([]);
    paid.refunded = false;
    await payments.deliver(payments.stripe.event('refund.failed', { id: 're_1', object: 'refund', charge: paid.id }));
    expect(await payments.grantsOf(user)).toHaveLength(1);
  });

  it('is acknowledged without effect if the gateway did not sell it', async () => {
    const of = { id: 'ch_of_a_shop', periodStart: now(), periodEnd: now() + DAY_S, refunded: true };
    payments.stripe.charges.set(of.id, of);
    expect(await payments.tellCharge(of)).toBe(204);
    expect(await payments.tellCharge({ ...of, id: 'ch_of_another_account' })).toBe(204);
  });
});
