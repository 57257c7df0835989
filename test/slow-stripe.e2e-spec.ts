import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { DAY_S, now, PaymentsTest } from './support/payments-test.js';

let member: ConsoleClient;

const payments = await PaymentsTest.start();
beforeEach(async () => {
  payments.stripe.requests.length = 0;
  member = await ConsoleClient.as(payments.gateway, 'member');
});

describe('while Stripe is slow', () => {
  const EVENTS = 14;

  it('events wait for it without a database connection, and the console responds', async () => {
    const users = await Promise.all(Array.from({ length: EVENTS }, () => payments.gateway.createUser()));
    const release = hold();
    const delivered = users.map((user) => payments.tell(payments.subscribe(user)));
    try {
      await eventually(async () => payments.stripe.requests.length === EVENTS, 5000);
      expect((await member.get('/api/keys')).status).toBe(200);
    } finally {
      release();
    }
    expect(await Promise.all(delivered)).toEqual(Array(EVENTS).fill(204));
    for (const user of users) expect(await payments.grantsOf(user)).toHaveLength(1);
  });

  it('a late response does not replace one that was requested later', async () => {
    const user = await payments.gateway.createUser();
    const script = payments.subscribe(user);
    const release = hold();
    const late = payments.tell(script, 'customer.subscription.created');
    await eventually(async () => payments.stripe.requests.length === 1, 5000);
    payments.stripe.paused = null;
    script.status = 'canceled';
    script.endedAt = now();
    expect(await payments.tell(script, 'customer.subscription.deleted')).toBe(204);
    release();
    expect(await late).toBe(204);
    expect(await payments.grantsOf(user)).toEqual([]);
  });

  it('two subscriptions of one user that are reported together are both paid', async () => {
    const user = await payments.gateway.createUser();
    const reported = [payments.subscribe(user), payments.subscribe(user, { periodEnd: now() + 60 * DAY_S })];
    await Promise.all(reported.map((script) => payments.tell(script)));
    expect((await payments.grantsOf(user))[0]?.ends_at).toEqual(new Date((reported[1]?.periodEnd ?? 0) * 1000));
  });
});

/** Stripe's answers wait until the returned function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  payments.stripe.paused = promise;
  return () => {
    payments.stripe.paused = null;
    resolve();
  };
}
