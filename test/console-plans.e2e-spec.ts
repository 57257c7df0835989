import { beforeAll, describe, expect, it } from '@jest/globals';
import { PlansService } from '../src/billing/plans.service.js';
import { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';
import { NONE } from './support/test-limits.js';

const FREE = 7;
const ALL = 17;
const DAY_MS = 86_400_000;

let gateway: TestGateway;
let admin: ConsoleClient;
let member: ConsoleClient;

beforeAll(async () => {
  ({ gateway, admin, alice: member } = await startConsole());
});

async function entries(target: string) {
  const { body } = await admin.get(`/api/audit?target=${target}`);
  return body.items as Record<string, unknown>[];
}

async function modelsOf(headers: Record<string, string>): Promise<number> {
  return ((await (await gateway.get('/v1/models', headers)).json()) as object[]).length;
}

describe('GET /api/plans', () => {
  it('shows every plan with its tiers and models, and the plan of the user', async () => {
    const { status, body } = await member.get('/api/plans');
    expect(status).toBe(200);
    const same = { guards: [], namedModels: [], isRetired: false, users: null };
    expect(body).toEqual({
      plans: [
        {
          ...same,
          id: 'free',
          name: 'Free',
          tiers: ['free'],
          rank: 0,
          isDefault: true,
          models: FREE,
          limits: NONE,
        },
        {
          ...same,
          id: 'pro',
          name: 'Pro',
          tiers: ['free', 'pro'],
          rank: 100,
          isDefault: false,
          models: ALL,
          limits: null,
        },
      ],
      tiers: expect.arrayContaining([
        { id: 'free', models: FREE },
        { id: 'pro', models: ALL - FREE },
      ]),
      mine: { plan: { id: 'free', name: 'Free' }, since: null, until: null },
    });
  });

  it('shows an admin the number of users of each', async () => {
    const before = (await admin.get('/api/plans')).body.plans.map(({ users }: { users: number }) => users);
    await gateway.createUser();
    await gateway.createUser({ plan: 'pro' });
    const after = (await admin.get('/api/plans')).body.plans.map(({ users }: { users: number }) => users);
    expect(after).toEqual([before[0] + 1, before[1] + 1]);
  });
});

describe('a grant by an admin', () => {
  it('takes effect within a second, gets a new end, and is ended: each with an entry in the audit log', async () => {
    const user = await gateway.createUser();
    expect(await modelsOf(user.headers)).toBe(FREE);
    const until = new Date(Date.now() + DAY_MS).toISOString();
    const granted = await admin.post(`/api/users/${user.id}/plan`, { planId: 'pro', until });
    expect(granted).toMatchObject({ status: 200, body: { plan: { id: 'pro', name: 'Pro' }, until } });
    await eventually(async () => (await modelsOf(user.headers)) === ALL, 1000);
    const { since } = granted.body;
    const extended = await admin.post(`/api/users/${user.id}/plan`, { planId: 'pro', until: null });
    expect(extended.body).toEqual({ plan: { id: 'pro', name: 'Pro' }, since, until: null });
    const revoked = await admin.delete(`/api/users/${user.id}/plan`);
    expect(revoked).toMatchObject({ status: 200, body: { plan: { id: 'free' }, since: null, until: null } });
    await eventually(async () => (await modelsOf(user.headers)) === FREE, 1000);
    expect(await entries(`user:${user.id}&action=plan`)).toMatchObject([
      {
        action: 'plan.revoke',
        before: { plan: 'pro', since, until: null },
        after: { plan: 'pro', since, until: expect.any(String) },
      },
      { action: 'plan.extend', before: { plan: 'pro', since, until }, after: { plan: 'pro', since, until: null } },
      {
        action: 'plan.grant',
        actor: { kind: 'user', name: admin.user.email },
        target: { kind: 'user', id: user.id, name: user.email },
        before: null,
        after: { plan: 'pro', since, until },
      },
    ]);
  });

  it('is listed among the holders with its source, until it is ended', async () => {
    const user = await gateway.createUser();
    await admin.post(`/api/users/${user.id}/plan`, { planId: 'pro' });
    const holders = (await admin.get('/api/plans/pro/holders')).body.items as { userId: string }[];
    expect(holders.find(({ userId }) => userId === user.id)).toEqual({
      userId: user.id,
      email: user.email,
      name: '',
      kind: 'person',
      projectId: null,
      disabled: false,
      since: expect.any(String),
      until: null,
      source: 'console',
    });
    await admin.delete(`/api/users/${user.id}/plan`);
    const left = (await admin.get('/api/plans/pro/holders')).body.items as { userId: string }[];
    expect(left.map(({ userId }) => userId)).not.toContain(user.id);
    expect((await admin.get('/api/plans/free/holders')).body.items).toEqual([]);
  });

  it('is refused with the name of the invalid field, and writes nothing', async () => {
    const user = await gateway.createUser();
    const refused = async (body: object) => {
      const reply = await admin.post(`/api/users/${user.id}/plan`, body);
      return [reply.status, reply.body.error.param];
    };
    expect(await refused({})).toEqual([400, 'planId']);
    expect(await refused({ planId: 'gold' })).toEqual([400, 'planId']);
    expect(await refused({ planId: 'free' })).toEqual([400, 'planId']);
    expect(await refused({ planId: 'pro', until: 'tomorrow' })).toEqual([400, 'until']);
    expect(await refused({ planId: 'pro', until: '2020-01-01T00:00:00Z' })).toEqual([400, 'until']);
    expect(await refused({ planId: 'pro', source: 'x' })).toEqual([400, 'source']);
    const actions = (await entries(`user:${user.id}`)).map(({ action }) => action);
    expect(actions).not.toContain('plan.grant');
  });

  it('is for admins only, and for existing users', async () => {
    const { id } = member.user;
    for (const reply of [
      await member.post(`/api/users/${id}/plan`, { planId: 'pro' }),
      await member.delete(`/api/users/${id}/plan`),
      await member.get('/api/plans/pro/holders'),
      await member.patch('/api/plans/pro', { name: 'Mine' }),
      await member.post('/api/plans', { id: 'mine', tiers: ['pro'] }),
    ]) {
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'admin_only' } } });
    }
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'nobody']) {
      expect((await admin.post(`/api/users/${unknown}/plan`, { planId: 'pro' })).status).toBe(404);
      expect((await admin.delete(`/api/users/${unknown}/plan`)).status).toBe(404);
    }
    expect((await admin.get('/api/plans/gold/holders')).status).toBe(404);
    expect((await admin.patch('/api/plans/gold', { name: 'Gold' })).status).toBe(404);
  });
});

describe('a plan that an admin creates', () => {
  it('includes tiers and single models, has limits, is granted, and is retired', async () => {
    const { body: models } = await admin.get('/api/models');
    const pro = models.find(({ tier }: { tier: string }) => tier === 'pro').id;
    const limits = { requestsPerMinute: 60, budgetMonthUsd: '20.50', concurrentCalls: null };
    const made = await admin.post('/api/plans', {
      id: 'team-a',
      name: 'Team A',
      tiers: ['free'],
      namedModels: [pro],
      limits,
    });
    const view = {
      ...{ id: 'team-a', name: 'Team A', tiers: ['free'], namedModels: [pro], rank: 110, isDefault: false },
      ...{ isRetired: false, models: FREE + 1, users: 0, guards: [] },
      limits: { ...NONE, requestsPerMinute: 60, budgetMonthUsd: 20.5 },
    };
    expect(made).toMatchObject({ status: 201, body: view });
    expect((await admin.post('/api/plans', { id: 'team-a', tiers: ['free'] })).body.error.param).toBe('id');
    const user = await gateway.createUser();
    expect((await admin.post(`/api/users/${user.id}/plan`, { planId: 'team-a' })).status).toBe(200);
    await eventually(async () => (await modelsOf(user.headers)) === FREE + 1, 1000);
    expect((await gateway.get(`/v1/models/${pro}`, user.headers)).status).toBe(200);
    const retired = await admin.patch('/api/plans/team-a', { retired: true, limits: { requestsPerMinute: null } });
    expect(retired.body).toEqual({
      ...{ ...view, isRetired: true, users: 1 },
      limits: { ...view.limits, requestsPerMinute: null },
    });
    const seen = async (who: ConsoleClient) =>
      (await who.get('/api/plans')).body.plans.map(({ id }: { id: string }) => id);
    expect(await seen(admin)).toEqual(['free', 'pro', 'team-a']);
    expect(await seen(member)).toEqual(['free', 'pro']);
    expect((await entries('plan:team-a')).map(({ action }) => action)).toEqual([
      'plan.retire',
      'plan.update',
      'plan.create',
    ]);
  });
});

describe('a change of a plan', () => {
  it('applies to all its users within a second, and is recorded in the audit log', async () => {
    const users = [await gateway.createUser(), await gateway.createUser()];
    const seen = () => Promise.all(users.map(({ headers }) => modelsOf(headers)));
    expect(await seen()).toEqual([FREE, FREE]);
    const opened = await admin.patch('/api/plans/free', { name: ' Open ', tiers: ['free', 'pro'] });
    expect(opened).toMatchObject({
      status: 200,
      body: { id: 'free', name: 'Open', tiers: ['free', 'pro'], isDefault: true, models: ALL },
    });
    expect(opened.body.users).toBeGreaterThanOrEqual(2);
    await eventually(async () => (await seen()).every((count) => count === ALL), 1000);
    expect((await admin.patch('/api/plans/free', { name: 'Free', tiers: ['free'] })).status).toBe(200);
    await eventually(async () => (await seen()).every((count) => count === FREE), 1000);
    expect((await admin.patch('/api/plans/free', { name: 'Free' })).status).toBe(200);
    const [back, first, ...more] = await entries('plan:free');
    expect(more).toEqual([]);
    expect(back).toMatchObject({ action: 'plan.update', after: { name: 'Free', tiers: ['free'] } });
    expect(first).toMatchObject({
      before: { name: 'Free', tiers: ['free'] },
      after: { name: 'Open', tiers: ['free', 'pro'] },
    });
  });

  it('is refused if it names an unknown tier, no tier, or a tier twice', async () => {
    const refused = async (body: object) => {
      const reply = await admin.patch('/api/plans/pro', body);
      return [reply.status, reply.body.error?.param];
    };
    expect(await refused({ tiers: ['free', 'gold'] })).toEqual([400, 'tiers[1]']);
    expect(await refused({ tiers: [] })).toEqual([400, 'tiers']);
    expect(await refused({ tiers: ['free', 'free'] })).toEqual([400, 'tiers']);
    expect(await refused({ tiers: 'free' })).toEqual([400, 'tiers']);
    expect(await refused({ name: '  ' })).toEqual([400, 'name']);
    expect(await refused({ rank: 0 })).toEqual([400, 'rank']);
    expect(await refused({ colour: 'red' })).toEqual([400, 'colour']);
    expect(await refused({ namedModels: ['no-such-model'] })).toEqual([400, 'namedModels[0]']);
    expect(await refused({ limits: { requestsPerMinute: 0 } })).toEqual([400, 'limits.requestsPerMinute']);
    expect(await refused({ limits: { requestsPerMinute: true } })).toEqual([400, 'limits.requestsPerMinute']);
    expect(await refused({ limits: { requestsPerMinute: 'plan' } })).toEqual([400, 'limits.requestsPerMinute']);
    expect(await refused({ limits: { budgetMonthUsd: '1e3' } })).toEqual([400, 'limits.budgetMonthUsd']);
    expect(await refused({ limits: { budgetTotalUsd: 5 } })).toEqual([400, 'limits.budgetTotalUsd']);
    expect(await refused({ limits: { seconds: 5 } })).toEqual([400, 'limits.seconds']);
    expect(await refused({ limits: 5 })).toEqual([400, 'limits']);
  });
});

describe('the plans of many users', () => {
  it('are the highest that each has now, from its first grant to its last end', async () => {
    const plans = gateway.services.get(PlansService);
    const [nothing, over, tocome, twice] = await Promise.all([1, 2, 3, 4].map(() => gateway.createUser()));
    const at = (ms: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + ms);
    const grants: [string | undefined, Date, Date | null][] = [
      [over?.id, at(-2 * DAY_MS), at(-DAY_MS)],
      [tocome?.id, at(DAY_MS), null],
      [twice?.id, at(-2 * DAY_MS), at(DAY_MS)],
      [twice?.id, at(-DAY_MS), at(3 * DAY_MS)],
    ];
    for (const [id, from, to] of grants) {
      await gateway.database.query(
        `INSERT INTO plan_grants (user_id, plan_id, starts_at, ends_at, source) VALUES ($1, 'pro', $2, $3, 'test')`,
        [id, from, to],
      );
    }
    const users = [nothing, over, tocome, twice].map((user) => user?.id ?? '');
    const granted = await plans.currentOf(users);
    expect(users.map((id) => granted.get(id)?.plan.id)).toEqual(['free', 'free', 'free', 'pro']);
    expect(granted.get(users[3] ?? '')).toMatchObject({ since: grants[2]?.[1], until: grants[3]?.[2] });
    expect(granted.get(users[0] ?? '')).toMatchObject({ since: null, until: null });
    for (const id of users) expect((await plans.current(id)).plan.id).toBe(granted.get(id)?.plan.id);
  });
});
