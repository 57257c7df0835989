import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { hashApiKey } from '../src/auth/api-key.secret.js';
import { CallersService } from '../src/auth/callers.service.js';
import { Commands } from './support/commands.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';
import { createWorkFolder } from './support/test-settings.js';

const FREE = 7;
const ALL = 17;

let gateways: TestGateway[] = [];
const commands = new Commands();

const database = await createMigratedDatabase();
const start = () => TestGateway.start({ env: { SIMULATOR: 'on' }, database });
const first = await start();
gateways = [first, await start()];
const folder: Awaited<ReturnType<typeof createWorkFolder>> = await createWorkFolder();

/** Runs a command in a separate process, on the gateways' database. */
async function cli(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await commands.run([...args, '--json'], folder.path, {
    ...folder.variables,
    DATABASE_URL: database.url,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The caller's result from each gateway: the number of models, or an error status. */
function seen({ headers }: TestUser): Promise<number[]> {
  return Promise.all(
    gateways.map(async (gateway) => {
      const reply = await gateway.get('/v1/models', headers);
      return reply.ok ? ((await reply.json()) as object[]).length : reply.status;
    }),
  );
}

/** Waits until every gateway returns it; returns the ms, not counting pauses of this process. */
async function until(user: TestUser, expected: number, limitMs = 1000): Promise<number> {
  const [from, lost] = [performance.now(), new LostTime()];
  await eventually(async () => (await seen(user)).every((one) => one === expected), limitMs);
  return performance.now() - from - lost.stop();
}

async function insertGrant({ id }: TestUser, startsInMs: number, endsInMs: number | null): Promise<number> {
  const now = Date.now();
  const starts = new Date(now + startsInMs);
  const ends = endsInMs === null ? null : new Date(now + endsInMs);
  await database.query(
    `INSERT INTO plan_grants (user_id, plan_id, starts_at, ends_at, source) VALUES ($1, 'pro', $2, $3, 'test')`,
    [id, starts, ends],
  );
  return (ends ?? starts).getTime();
}

describe('a change by the command line takes effect within a second in every gateway', () => {
  it('a plan that is granted, and one that is revoked', async () => {
    const user = await first.createUser();
    expect(await seen(user)).toEqual([FREE, FREE]);
    await cli('plan:grant', '--email', user.email);
    await until(user, ALL);
    await cli('plan:revoke', '--email', user.email);
    await until(user, FREE);
  });

  it('an owner who is disabled, and enabled', async () => {
    const user = await first.createUser({ plan: 'pro' });
    expect(await seen(user)).toEqual([ALL, ALL]);
    await cli('user:disable', '--email', user.email);
    await until(user, 403);
    await cli('user:enable', '--email', user.email);
    await until(user, ALL);
  });

  it('a key that is revoked; the other key of its owner still works', async () => {
    const user = await first.createUser();
    const other = {
      ...user,
      headers: { authorization: `Bearer ${(await cli('key:create', '--email', user.email, '--name', 'b')).key}` },
    };
    expect(await seen(user)).toEqual([FREE, FREE]);
    expect(await seen(other)).toEqual([FREE, FREE]);
    await cli('key:revoke', '--id', user.key.id);
    await until(user, 401);
    expect(await seen(other)).toEqual([FREE, FREE]);
  });

  it('a change by the command line takes effect within a second in every gateway within 100 ms of the commit if the machine is fast enough', async () => {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      const user = await first.createUser();
      expect(await seen(user)).toEqual([FREE, FREE]);
      await database.query(
        `WITH revoked AS (UPDATE api_keys SET revoked_at = now() WHERE id = $1 RETURNING id)
         SELECT pg_notify('caller_changed', 'key:' || id) FROM revoked`,
        [user.key.id],
      );
      times.push(await until(user, 401));
    }
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(100);
  });
});

describe('limits and budgets set by the command line', () => {
  const none = { requestsPerMinute: null, tokensPerMinute: null, concurrentCalls: null };
  const noBudgets = { budgetDayUsd: null, budgetMonthUsd: null, budgetTotalUsd: null };

  /** The caller's limits as each gateway has cached them. */
  async function limitsOf({ key }: TestUser): Promise<object[]> {
    return Promise.all(
      gateways.map(async (gateway) => {
        const known = await gateway.services.get(CallersService).find(hashApiKey(key.key));
        return (known?.caller.limits ?? []).map(({ scope, id, values }) => ({
          ...{ scope, id },
          ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
        }));
      }),
    );
  }

  it('are set for a plan, a user and a key, and take effect within a second in every gateway', async () => {
    const user = await first.createUser();
    const [{ id: userId, key, email }, both] = [user, (limits: object[]) => [limits, limits]];
    expect(await limitsOf(user)).toEqual(both([]));
    expect(await cli('plan:set', '--plan', 'free', '--requests-per-minute', '600', '--budget-day', '2.50')).toEqual({
      ...{ scope: 'plan', id: 'free', ...none, ...noBudgets },
      ...{ requestsPerMinute: 600, budgetDayUsd: 2.5 },
    });
    const ofPlan = { scope: 'plan', id: userId, requestsPerMinute: 600, budgetDayNanodollars: 2_500_000_000n };
    await eventually(async () => isDeepStrictEqual(await limitsOf(user), both([ofPlan])), 1000);
    const input = ['--budget-day', 'none', '--budget-month', '0.000000001', '--concurrent-calls', '3'];
    expect(await cli('user:set', '--email', email, ...input)).toEqual({
      ...{ scope: 'user', id: userId, ...none, ...noBudgets },
      ...{ requestsPerMinute: 600, concurrentCalls: 3, budgetMonthUsd: 1e-9 },
    });
    expect(await cli('key:set', '--id', key.id, '--tokens-per-minute', '9000', '--budget-total', '20')).toMatchObject({
      ...{ scope: 'key', id: key.id, ...none, ...noBudgets },
      ...{ tokensPerMinute: 9000, budgetTotalUsd: 20 },
    });
    const all = [
      { scope: 'plan', id: userId, requestsPerMinute: 600 },
      { scope: 'user', id: userId, concurrentCalls: 3, budgetMonthNanodollars: 1n },
      { scope: 'key', id: key.id, tokensPerMinute: 9000, budgetTotalNanodollars: 20_000_000_000n },
    ];
    await eventually(async () => isDeepStrictEqual(await limitsOf(user), both(all)), 1000);
    expect(await cli('user:set', '--email', email, '--budget-day', 'plan')).toMatchObject({ budgetDayUsd: 2.5 });
    await cli('plan:set', '--plan', 'free', '--requests-per-minute', 'none', '--budget-day', 'none');
    await eventually(async () => isDeepStrictEqual(await limitsOf(user), both(all.slice(1))), 1000);
  });

  it('are set for plans that are created there, too', async () => {
    const limits = ['--concurrent-calls', '5'];
    const made = { id: 'team', name: 'Team', tiers: [], models: ['gpt-6-luna'], rank: 7, retired: false };
    const row = { ...made, ...none, ...noBudgets, concurrentCalls: 5 };
    const options = ['--name', 'Team', '--models', 'gpt-6-luna', '--rank', '7'];
    expect(await cli('plan:create', '--plan', 'team', ...options, ...limits)).toEqual(row);
    expect(await cli('plan:retire', '--plan', 'team')).toEqual({ ...row, retired: true });
    expect(await cli('plan:list')).toEqual([
      expect.objectContaining({ id: 'free', tiers: ['free'] }),
      { ...row, retired: true },
      expect.objectContaining({ id: 'pro' }),
    ]);
  });

  it.each([
    ['user:set --email user-1@example.com --requests-per-minute 0', '--requests-per-minute must be a whole number'],
    ['user:set --email user-1@example.com --budget-day $5', '--budget-day must be US dollars from 0 to 1000000000'],
    ['plan:set --plan pro --budget-total 5', 'Total budgets are for users and keys'],
    ['plan:set --plan gold --budget-day 5', 'The plan does not exist'],
  ])('are refused with the reason: %s', async (line, reason) => {
    const variables = { ...folder.variables, DATABASE_URL: database.url };
    const { code, stdout, stderr } = await commands.run(line.split(' '), folder.path, variables);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });
  });
});

describe('a grant', () => {
  it('ends at its time without a notification', async () => {
    const user = await first.createUser();
    const end = await insertGrant(user, -1000, 3000);
    expect(await seen(user)).toEqual([ALL, ALL]);
    const lost = new LostTime();
    let lastPro = 0;
    await eventually(async () => {
      const requested = Date.now();
      const counts = await seen(user);
      if (counts.includes(ALL)) lastPro = requested;
      return counts.every((count) => count === FREE);
    }, 6000);
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    expect(lastPro).toBeLessThanOrEqual(end);
    expect(lastPro).toBeGreaterThan(end - 500 - lost.stop());
  });

  it('a grant for the future starts at its time without a notification', async () => {
    const user = await first.createUser();
    const start = await insertGrant(user, 2000, null);
    expect(await seen(user)).toEqual([FREE, FREE]);
    const lost = new LostTime();
    await until(user, ALL, 5000);
    expect(Date.now()).toBeGreaterThanOrEqual(start);
    expect(Date.now()).toBeLessThan(start + 500 + lost.stop());
  });

  it('is not shortened by another grant that ends sooner', async () => {
    const user = await first.createUser();
    await insertGrant(user, -1000, null);
    await insertGrant(user, -1000, 300);
    expect(await seen(user)).toEqual([ALL, ALL]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await seen(user)).toEqual([ALL, ALL]);
  });

  it('a grant that is repeated gets the new end, and starts now even if another one is scheduled', async () => {
    const user = await first.createUser();
    await insertGrant(user, 86_400_000, 172_800_000);
    expect(await seen(user)).toEqual([FREE, FREE]);
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const given = await cli('plan:grant', '--email', user.email, '--until', end);
    expect(given).toMatchObject({ email: user.email, plan: 'pro', endsAt: end });
    await until(user, ALL);
    const again = await cli('plan:grant', '--email', user.email);
    expect(again).toMatchObject({ startsAt: given.startsAt, endsAt: null });
    const rows = await database.query('SELECT ends_at FROM plan_grants WHERE user_id = $1', [user.id]);
    expect(rows).toHaveLength(2);
  });

  it('is ended by a revocation, like all others including scheduled ones', async () => {
    const user = await first.createUser({ plan: 'pro' });
    await insertGrant(user, 500, null);
    expect(await seen(user)).toEqual([ALL, ALL]);
    expect(await cli('plan:revoke', '--email', user.email)).toEqual({ email: user.email, ended: 2 });
    await until(user, FREE);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await seen(user)).toEqual([FREE, FREE]);
  });
});
