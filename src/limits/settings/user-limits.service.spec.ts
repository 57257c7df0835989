import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createMigratedDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { GATEWAY } from '../../audit/audit.types.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { NO_LIMITS } from '../values/limit-values.js';
import { LimitSettingsModule, UserLimitsService } from './limit-settings.service.js';

const database = await createMigratedDatabase();
const services = await startServices(database.url, LimitSettingsModule);
const plans = services.get(PlansService);
const definitions = services.get(PlanDefinitionsService);
const users = services.get(UserLimitsService);

async function userOn(plan?: string): Promise<string> {
  const id = randomUUID();
  await database.query('INSERT INTO users (id, email) VALUES ($1, $2)', [id, `${id}@example.com`]);
  if (plan) await plans.grant(id, plan, null, 'test', GATEWAY);
  return id;
}

async function lastEntry() {
  const [entry] = await database.query(
    'SELECT action, target_kind, target_id, before, after FROM audit_log ORDER BY id DESC LIMIT 1',
  );
  return entry;
}

describe('the limits of a caller', () => {
  it('are empty by default', async () => {
    expect((await plans.current(await userOn('pro'), randomUUID())).limits).toEqual([]);
  });

  it("are the user's own values, the plan's where the user has none, and the key's", async () => {
    const limits = { requestsPerMinute: 60, tokensPerMinute: 9000, budgetMonthNanodollars: 20_000_000_000n };
    await definitions.create({ id: 'limited', tiers: ['free'], limits }, GATEWAY);
    const [user, key] = [await userOn('limited'), randomUUID()];
    await database.query(
      `INSERT INTO limit_values (scope, subject, name, amount) VALUES ('key', $1, 'concurrentCalls', 2)`,
      [key],
    );
    const ofKey = { scope: 'key', id: key, values: { ...NO_LIMITS, concurrentCalls: 2 } };
    expect((await plans.current(user, key)).limits).toEqual([
      { scope: 'plan', id: user, values: { ...NO_LIMITS, ...limits } },
      ofKey,
    ]);
    await users.set(user, { tokensPerMinute: null, budgetMonthNanodollars: 5n, concurrentCalls: 7 }, GATEWAY);
    expect((await plans.current(user, key)).limits).toEqual([
      { scope: 'plan', id: user, values: { ...NO_LIMITS, requestsPerMinute: 60 } },
      { scope: 'user', id: user, values: { ...NO_LIMITS, budgetMonthNanodollars: 5n, concurrentCalls: 7 } },
      ofKey,
    ]);
    expect((await plans.current(user)).limits).toHaveLength(2);
  });

  it('are unlimited if the user has no limit, even if the plan has one', async () => {
    await definitions.create({ id: 'one-value', tiers: ['free'], limits: { concurrentCalls: 1 } }, GATEWAY);
    const user = await userOn('one-value');
    await users.set(user, { concurrentCalls: null }, GATEWAY);
    expect((await plans.current(user)).limits).toEqual([]);
    await users.set(user, { concurrentCalls: 'plan' }, GATEWAY);
    expect((await plans.current(user)).limits).toMatchObject([{ scope: 'plan', values: { concurrentCalls: 1 } }]);
  });
});

describe("a user's own limits", () => {
  it('change separately, and each change is in the audit log', async () => {
    const user = await userOn('pro');
    expect(await users.set(user, { requestsPerMinute: 5, budgetTotalNanodollars: 1n }, GATEWAY)).toEqual({
      own: { requestsPerMinute: 5, budgetTotalNanodollars: 1n },
      plan: {},
      values: { ...NO_LIMITS, requestsPerMinute: 5, budgetTotalNanodollars: 1n },
    });
    await users.set(user, { requestsPerMinute: null, budgetTotalNanodollars: 'plan' }, GATEWAY);
    expect(await lastEntry()).toEqual({
      action: 'user.limits',
      target_kind: 'user',
      target_id: user,
      before: { requestsPerMinute: 5, budgetTotalUsd: 1e-9 },
      after: { requestsPerMinute: null, budgetTotalUsd: 'plan' },
    });
    const entry = await database.query('SELECT max(id) FROM audit_log');
    expect((await users.set(user, { requestsPerMinute: null, tokensPerMinute: 'plan' }, GATEWAY)).own).toEqual({
      requestsPerMinute: null,
    });
    expect(await database.query('SELECT max(id) FROM audit_log')).toEqual(entry);
  });

  it('cannot be set for an unknown user', async () => {
    await expect(users.set(randomUUID(), { requestsPerMinute: 5 }, GATEWAY)).rejects.toThrow(
      'The user does not exist.',
    );
  });
});

describe('a plan', () => {
  it('can be created above all others, with models and limits, and changed', async () => {
    const made = await definitions.create({ id: 'team', models: ['m', 'm'], limits: { concurrentCalls: 3 } }, GATEWAY);
    const top = Math.max(...(await definitions.list()).map(({ rank }) => rank));
    expect(made).toEqual({
      ...{ id: 'team', name: 'team', tiers: [], models: ['m'], rank: top, isDefault: false, isRetired: false },
      limits: { ...NO_LIMITS, concurrentCalls: 3 },
      guards: [],
    });
    expect((await lastEntry())?.after).toEqual({
      name: 'team',
      tiers: [],
      models: ['m'],
      rank: top,
      guards: [],
      concurrentCalls: 3,
    });
    const change = {
      name: ' Team ',
      rank: 50,
      limits: { concurrentCalls: null, budgetDayNanodollars: 2_500_000_000n },
    };
    expect(await definitions.update('team', change, GATEWAY)).toMatchObject({
      ...{ name: 'Team', models: ['m'], rank: 50 },
      limits: { ...NO_LIMITS, budgetDayNanodollars: 2_500_000_000n },
    });
    expect(await lastEntry()).toMatchObject({
      action: 'plan.update',
      before: { name: 'team', rank: top, concurrentCalls: 3, budgetDayUsd: null },
      after: { name: 'Team', rank: 50, concurrentCalls: null, budgetDayUsd: 2.5 },
    });
    const { plan } = await plans.current(await userOn('team'));
    expect(plan).toEqual({ id: 'team', tiers: new Set(), models: new Set(['m']) });
  });

  it('cannot be assigned once it is retired, but existing users keep it', async () => {
    await definitions.create({ id: 'old', tiers: ['free'] }, GATEWAY);
    const [holder, other] = [await userOn('old'), await userOn()];
    expect(await definitions.update('old', { retired: true }, GATEWAY)).toMatchObject({ isRetired: true });
    await expect(plans.grant(other, 'old', null, 'test', GATEWAY)).rejects.toThrow("The plan 'old' is retired.");
    const until = new Date(Date.now() + 60_000);
    expect(await plans.grant(holder, 'old', until, 'test', GATEWAY)).toMatchObject({ endsAt: until });
    expect((await plans.current(holder)).plan.id).toBe('old');
    await definitions.update('old', { retired: false }, GATEWAY);
    await plans.grant(other, 'old', null, 'test', GATEWAY);
  });

  it.each([
    ['invalid characters in its id', { id: 'Team A', tiers: ['free'] }, 'id'],
    ['an existing id', { id: 'pro', tiers: ['free'] }, 'id'],
    ['no tier and no model', { id: 'empty' }, 'tiers'],
    ['an empty name', { id: 'x', name: ' ', tiers: ['free'] }, 'name'],
    ['the rank of another plan', { id: 'x', tiers: ['free'], rank: 100 }, 'rank'],
    ['a rank that is not a number', { id: 'x', tiers: ['free'], rank: Number.NaN }, 'rank'],
    ['the rank of the default plan', { id: 'x', tiers: ['free'], rank: 0 }, 'rank'],
    ['a total budget', { id: 'x', tiers: ['free'], limits: { budgetTotalNanodollars: 1n } }, 'limits.budgetTotalUsd'],
  ])('cannot be created with %s', async (_, plan, field) => {
    await expect(definitions.create(plan, GATEWAY)).rejects.toMatchObject({ name: 'UsageError', field });
    expect((await definitions.list()).map(({ id }) => id)).not.toContain('x');
  });

  it('cannot be retired or ranked differently if it is the default', async () => {
    await expect(definitions.update('free', { retired: true }, GATEWAY)).rejects.toMatchObject({ field: 'retired' });
    await expect(definitions.update('free', { rank: 500 }, GATEWAY)).rejects.toMatchObject({ field: 'rank' });
    await expect(definitions.update('nothing', {}, GATEWAY)).rejects.toThrow('The plan does not exist.');
  });
});
