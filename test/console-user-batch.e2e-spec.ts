import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';

const { gateway, admin, alice } = await startConsole();

const usersAt = async (domain: string) => (await admin.get(`/api/users?q=${domain}`)).body.items;

interface AuditRow {
  action: string;
  target_name: string;
}

describe('many people at once', () => {
  it('are all created, in the order of the request, each with a role, a plan and a link that works', async () => {
    const users = [
      { email: 'zoe@crew.example', name: 'Zoe', role: 'admin', planId: 'pro' },
      { email: ' Ada@Crew.example ', name: 'Ada' },
      { email: 'mia@crew.example', planId: 'pro' },
    ];
    const { status, body } = await admin.post('/api/users/batch', { users });
    expect([status, body.faults]).toEqual([201, []]);
    expect(body.users.map(({ user }: { user: object }) => user)).toMatchObject([
      { email: 'zoe@crew.example', name: 'Zoe', role: 'admin', status: 'invited', plan: { id: 'pro', until: null } },
      { email: 'ada@crew.example', name: 'Ada', role: 'member', status: 'invited', plan: { id: 'free' } },
      { email: 'mia@crew.example', name: '', role: 'member', status: 'invited', plan: { id: 'pro' } },
    ]);
    for (const { user, link } of body.users) {
      const token = new URL(link.url).hash.slice(1);
      expect((await alice.post('/api/password-links/check', { token })).body).toMatchObject({ email: user.email });
    }
    const audit: AuditRow[] = await gateway.database.query(
      "SELECT action, target_name FROM audit_log WHERE target_name LIKE '%@crew.example' ORDER BY id",
    );
    const actions = (email: string) => audit.filter((one) => one.target_name === email).map(({ action }) => action);
    expect(actions('zoe@crew.example')).toEqual(['user.create', 'plan.grant', 'link.create']);
    expect(actions('ada@crew.example')).toEqual(['user.create', 'link.create']);
  });

  it('are refused together, with each faulty field by its name', async () => {
    const users = [
      { email: 'one@none.example' },
      { email: 'no address' },
      { email: admin.user.email.toUpperCase() },
      { email: 'ONE@none.example', planId: 'gold' },
      { email: 'two@none.example', planId: 'free' },
    ];
    const params = ['users[1].email', 'users[2].email', 'users[3].email', 'users[3].planId', 'users[4].planId'];
    const checked = await admin.post('/api/users/batch', { users, dryRun: true });
    expect(checked.body.faults.map(({ param }: { param: string }) => param)).toEqual(params);
    expect(checked.body.users).toEqual([]);
    const { status, body } = await admin.post('/api/users/batch', { users });
    expect([status, body.error.param]).toEqual([400, 'users[1].email']);
    for (const { param, message } of checked.body.faults) expect(body.error.message).toContain(`${param}: ${message}`);
    expect(await usersAt('none.example')).toEqual([]);
  });

  it('are only checked by a dry run', async () => {
    const users = [{ email: 'one@dry.example', planId: 'pro' }];
    const { body } = await admin.post('/api/users/batch', { users, dryRun: true });
    expect(body).toEqual({ users: [], faults: [] });
    expect(await usersAt('dry.example')).toEqual([]);
  });

  it('are refused with the name of a field that has another type', async () => {
    const refused = async (users: unknown) => (await admin.post('/api/users/batch', { users })).body.error.param;
    expect(await refused([{ email: 'a@b.example' }, { email: 7 }])).toBe('users[1].email');
    expect(await refused([{ email: 'a@b.example', role: 'king' }])).toBe('users[0].role');
    expect(await refused([{ email: 'a@b.example', name: {} }])).toBe('users[0].name');
    expect(await refused([{ email: 'a@b.example', salary: 1 }])).toBe('users[0].salary');
    expect(await refused(['a@b.example'])).toBe('users[0]');
    expect(await refused([])).toBe('users');
    const many = Array.from({ length: 201 }, (_, at) => ({ email: `${at}@many.example` }));
    expect(await refused(many)).toBe('users');
    expect(await usersAt('b.example')).toEqual([]);
  });

  it('do not block other creations of the same people at the same time', async () => {
    const people = Array.from({ length: 12 }, (_, at) => ({ email: `${at}@race.example` }));
    const batches = [people, people.toReversed(), people.slice(3)];
    const replies = await Promise.all(batches.map((users) => admin.post('/api/users/batch', { users })));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(2);
    const created = replies.find(({ status }) => status === 201)?.body.users.length;
    expect(await usersAt('race.example')).toHaveLength(created);
  });

  it('are created by administrators only', async () => {
    const { status, body } = await alice.post('/api/users/batch', { users: [{ email: 'a@alice.example' }] });
    expect([status, body.error.code]).toEqual([403, 'admin_only']);
  });

  it('get plans only from those who may grant plans', async () => {
    const program = await withScopes(['users.write']);
    const users = (planId?: string) => ({ users: [{ email: 'a@scoped.example', planId }] });
    const { status, body } = await program.post('/api/users/batch', users('pro'));
    expect([status, body.error.code]).toEqual([403, 'insufficient_permissions']);
    expect((await program.post('/api/users/batch', users())).status).toBe(201);
  });
});

/** A program with an access token of the administrator. */
async function withScopes(scopes: string[]): Promise<ConsoleClient> {
  const { body } = await admin.post('/api/tokens', { name: 'program', scopes });
  const client = ConsoleClient.of(gateway);
  client.headers = { authorization: `Bearer ${body.token}` };
  return client;
}

describe('a new project', () => {
  it('has its plan, managers and budget from its start', async () => {
    const { status, body } = await admin.post('/api/projects/complete', {
      name: 'Whole',
      planId: 'pro',
      managers: [alice.user.email],
      limits: { budgetMonthUsd: 40, requestsPerMinute: 60 },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      plan: { id: 'pro' },
      memberList: [{ userId: alice.user.id, role: 'manager' }],
      limits: { values: { budgetMonthUsd: 40, requestsPerMinute: 60 }, bounds: { budgetMonthUsd: 40 } },
    });
    const { items } = (await alice.get('/api/projects?name=Whole')).body;
    expect(items).toMatchObject([
      {
        managers: [alice.user.email],
        managerCount: 1,
        budgets: [{ period: 'month', amountUsd: 40, spentUsd: 0, leftUsd: 40 }],
      },
    ]);
  });

  it('gets a plan or limits only from those who may set them', async () => {
    const program = await withScopes(['projects.write', 'projects.read']);
    const create = (fields: object) => program.post('/api/projects/complete', { name: 'Scoped', ...fields });
    for (const [fields, permission] of [
      [{ planId: 'pro' }, 'plans.write'],
      [{ limits: { budgetMonthUsd: 1 } }, 'limits.write'],
    ] as const) {
      const { status, body } = await create(fields);
      expect([status, body.error.code]).toEqual([403, 'insufficient_permissions']);
      expect(body.error.message).toContain(permission);
    }
    expect((await create({ managers: [alice.user.email] })).status).toBe(201);
  });

  it('is not created at all if a part of it is refused', async () => {
    const refused = async (fields: object) => {
      const { status, body } = await admin.post('/api/projects/complete', { name: 'Part', ...fields });
      return [status, body.error.param];
    };
    expect(await refused({ planId: 'gold' })).toEqual([400, 'planId']);
    const managers = [alice.user.email, 'nobody@nowhere.example'];
    expect(await refused({ managers })).toEqual([400, 'managers[1]']);
    expect(await refused({ limits: { budgetMonthUsd: -1 } })).toEqual([400, 'limits.budgetMonthUsd']);
    expect((await admin.get('/api/projects?scope=all&name=Part')).body.items).toEqual([]);
  });
});
