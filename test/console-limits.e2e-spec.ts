import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { hashApiKey } from '../src/auth/api-key.secret.js';
import { CallersService } from '../src/auth/callers.service.js';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import { BalanceBasesService } from '../src/usage/balance-bases.service.js';
import { UsageModule } from '../src/usage/usage.module.js';
import { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import { closedCall, openCall } from './support/test-calls.js';
import { NONE } from './support/test-limits.js';
import { startServices } from './support/test-services.js';

const { gateway, admin, alice, bob } = await startConsole();

/** The limits of the caller of a key, by scope. */
async function limitsOf(key: string): Promise<Record<string, object>> {
  const known = await gateway.services.get(CallersService).find(hashApiKey(key));
  const message = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return Object.fromEntries((known?.caller.limits ?? []).map(({ scope, values }) => [scope, message(values)]));
}

describe("a key's limits", () => {
  it('are set at its creation or later, are shown with it, and take effect within a second', async () => {
    const limits = { requestsPerMinute: 60, budgetMonthUsd: '20.000000001' };
    const { status, body } = await alice.post('/api/keys', { name: 'ci', limits });
    expect([status, body.limits]).toEqual([201, { ...NONE, requestsPerMinute: 60, budgetMonthUsd: 20.000000001 }]);
    expect(await limitsOf(body.key)).toEqual({
      key: { requestsPerMinute: 60, budgetMonthNanodollars: 20_000_000_001n },
    });
    const changed = await alice.patch(`/api/keys/${body.id}`, {
      limits: { requestsPerMinute: null, budgetDayUsd: 0.1 },
    });
    expect(changed.body.limits).toEqual({ ...NONE, budgetDayUsd: 0.1, budgetMonthUsd: 20.000000001 });
    const holds = { key: { budgetDayNanodollars: 100_000_000n, budgetMonthNanodollars: 20_000_000_001n } };
    await eventually(async () => isDeepStrictEqual(await limitsOf(body.key), holds), 1000);
    const [listed] = (await alice.get('/api/keys')).body.items;
    expect(listed).toMatchObject({ id: body.id, limits: changed.body.limits, bounds: null });
  });

  it('cannot exceed those of the owner; those set by an admin are bounds for the owner', async () => {
    await admin.patch(`/api/users/${bob.user.id}/limits`, { concurrentCalls: 4 });
    const { body: key } = await bob.post('/api/keys', { name: 'ci' });
    const set = async (who: ConsoleClient, concurrentCalls: number | null) => {
      const { status, body } = await who.patch(`/api/keys/${key.id}`, { limits: { concurrentCalls } });
      return [status, body.error ? body.error.param : body.limits.concurrentCalls];
    };
    expect(await set(bob, 5)).toEqual([400, 'limits.concurrentCalls']);
    expect(await set(bob, 4)).toEqual([200, 4]);
    expect(await set(admin, 2)).toEqual([200, 2]);
    expect(await set(bob, 3)).toEqual([400, 'limits.concurrentCalls']);
    expect(await set(bob, null)).toEqual([400, 'limits.concurrentCalls']);
    expect((await bob.get(`/api/keys/${key.id}`)).body.bounds).toEqual({
      ...{ models: null, addresses: null, expiresAt: null },
      limits: { ...NONE, concurrentCalls: 2 },
    });
    expect(await set(alice, 1)).toEqual([404, null]);
  });

  it.each([
    ['limits.requestsPerMinute', { requestsPerMinute: 0.5 }],
    ['limits.requestsPerMinute', { requestsPerMinute: 'plan' }],
    ['limits.budgetTotalUsd', { budgetTotalUsd: '1e9' }],
    ['limits.budgetTotalUsd', { budgetTotalUsd: { $gt: 0 } }],
    ['limits.colour', { colour: 1 }],
    ['limits', null],
    ['limits', [1]],
    ['limits', Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`k${i}`, 1]))],
  ])('are refused by the name of the field: %s', async (field, limits) => {
    const { status, body } = await alice.post('/api/keys', { name: 'ci', limits });
    expect([status, body.error?.param]).toEqual([400, field]);
  });
});

describe("a user's limits", () => {
  it('replace the values of the plan one by one, and are visible to the user', async () => {
    const person = await ConsoleClient.as(gateway, 'member');
    const path = `/api/users/${person.user.id}/limits`;
    await admin.post('/api/plans', {
      id: 'small',
      tiers: ['free'],
      limits: { requestsPerMinute: 10, budgetDayUsd: 1 },
    });
    await admin.post(`/api/users/${person.user.id}/plan`, { planId: 'small' });
    const ofPlan = { ...NONE, requestsPerMinute: 10, budgetDayUsd: 1 };
    const unsaid = Object.fromEntries(Object.keys(NONE).map((name) => [name, 'plan']));
    expect((await admin.get(path)).body).toMatchObject({ own: unsaid, plan: ofPlan, values: ofPlan });
    const set = await admin.patch(path, { requestsPerMinute: null, budgetMonthUsd: '5' });
    const expected = {
      own: { ...unsaid, requestsPerMinute: null, budgetMonthUsd: 5 },
      plan: ofPlan,
      values: { ...NONE, budgetDayUsd: 1, budgetMonthUsd: 5 },
    };
    expect(set).toMatchObject({ status: 200, body: expected });
    expect((await person.get('/api/limits')).body).toMatchObject(expected);
    const back = await admin.patch(path, { requestsPerMinute: 'plan' });
    expect(back.body).toMatchObject({ own: { requestsPerMinute: 'plan' }, values: { requestsPerMinute: 10 } });
    const { body: audit } = await admin.get(`/api/audit?target=user:${person.user.id}&action=user.limits`);
    expect(audit.items).toMatchObject([
      { before: { requestsPerMinute: null }, after: { requestsPerMinute: 'plan' } },
      {
        before: { requestsPerMinute: 'plan', budgetMonthUsd: 'plan' },
        after: { requestsPerMinute: null, budgetMonthUsd: 5 },
      },
    ]);
  });

  it('apply to calls after they are set, and no longer after they are removed', async () => {
    const user = await gateway.createUser();
    const path = `/api/users/${user.id}/limits`;
    const body = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello!' }] };
    const status = async () => (await gateway.complete(user, body)).status;
    expect(await status()).toBe(200);
    await admin.patch(path, { tokensPerMinute: 1 });
    await eventually(async () => (await status()) === 429);
    await admin.patch(path, { tokensPerMinute: 'plan' });
    await eventually(async () => (await status()) === 200);
  });

  it('show that a budget is being calculated until the earlier spending is summed up', async () => {
    const { gateway: waiting, admin: boss, alice: person } = await startConsole();
    const { services, database } = waiting;
    const before = closedCall(openCall({ userId: person.user.id }), { costNanodollars: 2_000_000_000n });
    await services.get(UsageLedgerService).close(before);
    // So that only the services below sum it up.
    await services.get(BalanceBasesService).beforeApplicationShutdown();
    const { body } = await boss.patch(`/api/users/${person.user.id}/limits`, { budgetMonthUsd: '5' });
    expect(body.budgets).toMatchObject([{ period: 'month', amountUsd: 5, calculating: true }]);
    const others = await startServices(database.url, UsageModule);
    const budgets = await eventually(async () => {
      const { body: own } = await person.get('/api/limits');
      return !own.budgets[0].calculating && own.budgets;
    });
    expect(budgets).toMatchObject([{ spentUsd: 2, calculating: false }]);
    const [row] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [person.user.id]);
    expect(row).toMatchObject({ spent_month: '2000000000', base_total: '2000000000' });
    await others.close();
    await waiting.stop();
  });

  it('are shown with their use and when they are fully available again, those of a key with the key', async () => {
    const person = await ConsoleClient.as(gateway, 'member');
    const { body: key } = await person.post('/api/keys', { name: 'ci', limits: { requestsPerMinute: 2 } });
    expect(key.rates).toEqual([{ name: 'requestsPerMinute', limit: 2, used: 0, fullAt: expect.any(String) }]);
    await admin.patch(`/api/users/${person.user.id}/limits`, { tokensPerMinute: 60, concurrentCalls: 3 });
    await gateway.database.query(
      `INSERT INTO limit_balances (id, kind, at, tokens_per_minute, tokens_used, running)
       VALUES ($1, 'user', now() + interval '1 hour', 60, 90, 2)`,
      [person.user.id],
    );
    const { rates } = (await person.get('/api/limits')).body;
    expect(rates).toEqual([
      { name: 'tokensPerMinute', limit: 60, used: 90, fullAt: expect.any(String) },
      { name: 'concurrentCalls', limit: 3, used: 2, fullAt: null },
    ]);
    expect(new Date(rates[0].fullAt).getTime() - Date.now()).toBeCloseTo(90_000, -4);
    expect((await admin.get(`/api/users/${person.user.id}/limits`)).body.rates).toHaveLength(2);
    expect((await bob.get('/api/limits')).body.rates).toEqual([
      { name: 'concurrentCalls', limit: 4, used: 0, fullAt: null },
    ]);
    const model = 'gpt-6-luna';
    const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] });
    await admin.patch(`/api/users/${person.user.id}/limits`, { tokensPerMinute: null });
    await eventually(
      async () => (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).ok,
    );
    const [listed] = (await person.get('/api/keys')).body.items;
    expect(listed.rates).toEqual([{ name: 'requestsPerMinute', limit: 2, used: 1, fullAt: expect.any(String) }]);
  });

  it('can be set only by admins, for existing users, with valid values', async () => {
    const path = `/api/users/${alice.user.id}/limits`;
    expect((await alice.get(path)).status).toBe(403);
    expect((await alice.patch(path, { requestsPerMinute: null })).status).toBe(403);
    expect((await admin.get('/api/users/nobody/limits')).status).toBe(404);
    expect((await admin.patch('/api/users/nobody/limits', { requestsPerMinute: 1 })).status).toBe(404);
    const { status, body } = await admin.patch(path, { budgetDayUsd: -1 });
    expect([status, body.error.param]).toEqual([400, 'budgetDayUsd']);
  });
});

describe('a budget', () => {
  it('is shown to its user with its spending and when it resets', async () => {
    const { id } = alice.user;
    const { body: key } = await alice.post('/api/keys', { name: 'spending' });
    await gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       VALUES ('chatcmpl-1', now(), 1, 'r', $1, $2, 'free', 'm', false, 'settled', 'v', 4250000000)`,
      [key.id, id],
    );
    await admin.patch(`/api/users/${id}/limits`, { budgetDayUsd: '5', budgetTotalUsd: '100' });
    await budgetsCounted(gateway.database);
    const now = new Date();
    const tomorrow = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
    const spent = { spentUsd: 4.25, uncoveredUsd: null, calculating: false };
    const budgets = [
      { period: 'day', amountUsd: 5, ...spent, resetsAt: tomorrow.toISOString() },
      { period: 'total', amountUsd: 100, ...spent, resetsAt: null },
    ];
    expect((await alice.get('/api/limits')).body.budgets).toEqual(budgets);
    expect((await admin.get(`/api/users/${id}/limits`)).body.budgets).toEqual(budgets);
    expect((await bob.get('/api/limits')).body.budgets).toEqual([]);
  });
});

describe('the limits of plans', () => {
  it('are shown to a member only for the own plan, and to an admin for every plan', async () => {
    await admin.patch('/api/plans/pro', { limits: { tokensPerMinute: 5000 } });
    const seen = async (who: ConsoleClient) => {
      const { plans } = (await who.get('/api/plans')).body;
      return plans.map(({ id, limits }: { id: string; limits: object | null }) => [id, limits]);
    };
    expect(await seen(alice)).toEqual(
      expect.arrayContaining([
        ['free', NONE],
        ['pro', null],
      ]),
    );
    expect(await seen(admin)).toEqual(
      expect.arrayContaining([
        ['free', NONE],
        ['pro', { ...NONE, tokensPerMinute: 5000 }],
      ]),
    );
  });
});
