import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { auditOf, completeWith, createKey, modelsOf, statusOf } from './support/console-keys.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import type { TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let admin: ConsoleClient;
let manager: ConsoleClient;
let member: ConsoleClient;
let count = 0;

({ gateway, admin, alice: manager, bob: member } = await startConsole());
const stranger = await ConsoleClient.as(gateway, 'member');

/** A new project with a manager and a member. */
async function newProject() {
  const made = await admin.post('/api/projects', { name: `Project ${++count}` });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const path = `/api/projects/${made.body.id}`;
  await admin.put(`${path}/members/${manager.user.id}`, { role: 'manager' });
  await admin.put(`${path}/members/${member.user.id}`, { role: 'member' });
  return { id: made.body.id as string, name: made.body.name as string, userId: made.body.userId as string, path };
}

const namesOf = async (client: ConsoleClient, path: string) =>
  (await client.get(path)).body.items.map(({ name }: { name: string }) => name);

describe('a project', () => {
  it('is created, renamed and archived, with an audit entry for each', async () => {
    const { id, path, name } = await newProject();
    expect(await admin.post('/api/projects', { name: name.toUpperCase() })).toMatchObject({
      status: 400,
      body: { error: { param: 'name' } },
    });
    expect((await manager.patch(path, { name: `${name} B` })).body.name).toBe(`${name} B`);
    expect((await manager.post(`${path}/archive`)).status).toBe(403);
    expect((await admin.post(`${path}/archive`)).body.archivedAt).not.toBeNull();
    expect((await admin.patch(path, { name: 'again' })).body.error.message).toContain('archived');
    expect((await auditOf(gateway, id)).map(({ action }) => action)).toEqual([
      ...['project.create', 'project.member', 'project.member', 'project.update', 'project.archive'],
    ]);
  });

  it('cannot get the name of another one, even by concurrent renames', async () => {
    const name = `Taken ${++count}`;
    const paths = [(await newProject()).path, (await newProject()).path];
    const replies = await Promise.all(paths.map((path) => admin.patch(path, { name })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(replies.find(({ status }) => status === 400)?.body.error).toMatchObject({ param: 'name' });
  });

  it('is visible only to its members and administrators, and changed by managers', async () => {
    const { id, name, path } = await newProject();
    expect(await namesOf(member, '/api/projects')).toContain(name);
    expect(await namesOf(stranger, '/api/projects')).toEqual([]);
    expect(await namesOf(admin, `/api/projects?scope=all&q=${encodeURIComponent(name)}`)).toContain(name);
    expect((await member.get('/api/projects?scope=all')).status).toBe(403);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.get(`/api/keys?project=${id}`)).status).toBe(404);
    const { body: key } = await admin.post('/api/keys', { name: `key of ${name}`, projectId: id });
    expect(await namesOf(member, `/api/keys?scope=projects&ids=${key.id}`)).toEqual([key.name]);
    expect(await namesOf(member, `/api/keys?scope=mine&ids=${key.id}`)).toEqual([]);
    expect(await namesOf(stranger, '/api/keys?scope=projects')).toEqual([]);
    expect((await member.get(path)).body).toMatchObject({ role: 'member', canManage: false, members: 2 });
    for (const refused of [
      member.patch(path, { name: 'mine' }),
      member.put(`${path}/limits`, { requestsPerMinute: 1 }),
      member.put(`${path}/members/${member.user.id}`, { role: 'manager' }),
      member.post(`${path}/service-accounts`, { name: 'robot' }),
      member.post('/api/keys', { name: 'mine', projectId: id }),
      manager.post('/api/projects', { name: 'mine' }),
    ]) {
      expect((await refused).status).toBe(403);
    }
  });

  it('is in no list and no count of users, and cannot sign in or get a password', async () => {
    const { userId, name } = await newProject();
    expect((await admin.get(`/api/users?ids=${userId}`)).body.items).toEqual([]);
    for (const reply of [
      admin.get(`/api/users/${userId}`),
      admin.patch(`/api/users/${userId}`, { role: 'admin' }),
      admin.post(`/api/users/${userId}/link`),
      admin.get(`/api/users/${userId}/limits`),
      admin.put(`/api/projects/${(await newProject()).id}/members/${userId}`, { role: 'member' }),
    ]) {
      expect((await reply).status).toBe(404);
    }
    const { body } = await admin.get('/api/plans');
    const counted = body.plans.reduce((sum: number, { users }: { users: number }) => sum + users, 0);
    const [row] = await gateway.database.query("SELECT count(*)::int AS users FROM users WHERE kind <> 'project'");
    expect(counted).toBe(row?.users);
    expect((await admin.post('/api/session', { email: name, password: 'any' })).status).toBe(401);
  });
});

describe("a project's keys", () => {
  it('are created and changed by managers, and visible to members', async () => {
    const { id, name } = await newProject();
    const { key, ...view } = await createKey(manager, { projectId: id, name: 'search' });
    expect(view).toMatchObject({ project: { id, name }, owner: { kind: 'project', email: null, name } });
    expect(await statusOf(gateway, key)).toBe(200);
    expect(await namesOf(member, `/api/keys?project=${id}`)).toEqual(['search']);
    expect(await namesOf(member, '/api/keys')).not.toContain('search');
    expect((await member.get(`/api/keys/${view.id}`)).body.display).toBe(view.display);
    expect((await member.patch(`/api/keys/${view.id}`, { name: 'mine' })).status).toBe(403);
    expect((await member.delete(`/api/keys/${view.id}`)).status).toBe(403);
    expect((await stranger.get(`/api/keys/${view.id}`)).status).toBe(404);
    expect((await manager.patch(`/api/keys/${view.id}`, { disabled: true })).body.disabledBy).toBe('owner');
    expect((await manager.patch(`/api/keys/${view.id}`, { disabled: false })).body.status).toBe('active');
    await admin.patch(`/api/keys/${view.id}`, { disabled: true });
    expect((await manager.patch(`/api/keys/${view.id}`, { disabled: false })).status).toBe(400);
  });

  it('stop working within a second when the project is archived', async () => {
    const { id, path } = await newProject();
    const { key } = await createKey(manager, { projectId: id });
    expect(await statusOf(gateway, key)).toBe(200);
    await admin.post(`${path}/archive`);
    await eventually(async () => (await statusOf(gateway, key)) === 403, 1000);
    expect((await manager.post('/api/keys', { name: 'late', projectId: id })).status).toBe(400);
  });

  it('call pro models while the project has the plan, and so do those of its service accounts', async () => {
    const { id, userId, path } = await newProject();
    const { body: robot } = await manager.post(`${path}/service-accounts`, { name: 'robot' });
    const keys = [
      await createKey(manager, { projectId: id }),
      await createKey(manager, { projectId: id, serviceAccountId: robot.id }),
    ];
    const hasPro = async (key: string) => (await modelsOf(gateway, key)).includes('claude-opus-5.5');
    for (const { key } of keys) expect(await hasPro(key)).toBe(false);
    expect((await admin.post(`/api/users/${userId}/plan`, { planId: 'pro' })).status).toBe(200);
    for (const { key } of keys) await eventually(() => hasPro(key), 1000);
    expect((await manager.get(path)).body.plan.id).toBe('pro');
    expect((await admin.post(`/api/users/${robot.id}/plan`, { planId: 'pro' })).body.error.message).toContain(
      'project',
    );
    await admin.delete(`/api/users/${userId}/plan`);
    for (const { key } of keys) await eventually(async () => !(await hasPro(key)), 1000);
  });
});

describe('a service account of a project', () => {
  it('has no e-mail address, is shown with its name, and can be disabled by managers', async () => {
    const { id, name, path } = await newProject();
    const made = await manager.post(`${path}/service-accounts`, { name: 'robot' });
    expect([made.status, made.body.name]).toEqual([201, 'robot']);
    expect((await manager.post(`${path}/service-accounts`, { name: 'Robot' })).status).toBe(400);
    const { key } = await createKey(manager, { projectId: id, serviceAccountId: made.body.id });
    expect(await statusOf(gateway, key)).toBe(200);
    const { items } = (await admin.get(`/api/users?ids=${made.body.id}&sort=email&q=robot`)).body;
    expect(items).toMatchObject([{ email: null, name: 'robot', kind: 'service', project: { id, name } }]);
    await manager.patch(`${path}/service-accounts/${made.body.id}`, { disabled: true });
    await eventually(async () => (await statusOf(gateway, key)) === 403, 1000);
    await manager.patch(`${path}/service-accounts/${made.body.id}`, { disabled: false });
    await eventually(async () => (await statusOf(gateway, key)) === 200, 1000);
    expect((await member.get(`${path}/service-accounts`)).body).toMatchObject([{ name: 'robot', keys: 1 }]);
  });
});

describe("a project's limits", () => {
  it('cost nothing if there are none: a call has no balance and no headers of limits', async () => {
    const { id, userId } = await newProject();
    const { id: keyId, key } = await createKey(manager, { projectId: id });
    const answer = await completeWith(gateway, key, 'nova-2-lite');
    expect([answer.status, answer.headers.get('x-ratelimit-limit-requests')]).toEqual([200, null]);
    await answer.text();
    const balances = 'SELECT 1 FROM limit_balances WHERE id = ANY ($1)';
    expect(await gateway.database.query(balances, [[id, userId, keyId]])).toEqual([]);
  });

  it('count all its keys together and name the project when they refuse', async () => {
    const { id, path } = await newProject();
    const { body: robot } = await manager.post(`${path}/service-accounts`, { name: 'robot' });
    const one = await createKey(manager, { projectId: id });
    const two = await createKey(manager, { projectId: id, serviceAccountId: robot.id });
    expect((await completeWith(gateway, one.key, 'nova-2-lite')).status).toBe(200);
    expect((await admin.put(`${path}/limits`, { requestsPerMinute: 2 })).body.values.requestsPerMinute).toBe(2);
    const limited = async () => {
      const response = await completeWith(gateway, one.key, 'nova-2-lite');
      await response.text();
      return response.headers.get('x-ratelimit-limit-requests') === '2';
    };
    await eventually(limited, 1000);
    const answers = [];
    for (const { key } of [two, one, two]) answers.push(await completeWith(gateway, key, 'nova-2-lite'));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(await refused[0]?.text()).toContain('The limit of the project is 2 requests a minute');
  });

  it('are set by administrators, and lowered by managers', async () => {
    const { id, path } = await newProject();
    await admin.put(`${path}/limits`, { requestsPerMinute: 100, budgetMonthUsd: 50 });
    expect((await manager.put(`${path}/limits`, { requestsPerMinute: 200 })).status).toBe(400);
    expect((await manager.put(`${path}/limits`, { budgetMonthUsd: null })).status).toBe(400);
    const narrowed = (await manager.put(`${path}/limits`, { requestsPerMinute: 60, concurrentCalls: 4 })).body;
    expect(narrowed).toMatchObject({
      values: { requestsPerMinute: 60, concurrentCalls: 4, budgetMonthUsd: 50 },
      bounds: { requestsPerMinute: 100, concurrentCalls: null, budgetMonthUsd: 50 },
      budgets: [{ period: 'month', amountUsd: 50, spentUsd: 0, reservedUsd: 0, leftUsd: 50 }],
    });
    const { body } = await manager.post('/api/keys', { name: 'big', projectId: id, limits: { requestsPerMinute: 61 } });
    expect(body.error.message).toContain("The project's limit is 60 requests per minute");
    const small = await createKey(manager, { projectId: id, limits: { requestsPerMinute: 30 } });
    expect(small).toMatchObject({ limits: { requestsPerMinute: 30 }, bounds: null });
  });
});

describe("a project's usage", () => {
  const span = () => {
    const now = Date.now();
    const [from, to] = [now - 3_600_000, now + 60_000].map((at) => new Date(at).toISOString());
    return `from=${from}&to=${to}`;
  };

  it('is visible to its members in reports, requests and exports, and is not part of their own usage', async () => {
    const { id, name, path } = await newProject();
    const { body: robot } = await manager.post(`${path}/service-accounts`, { name: 'robot' });
    const keys = [
      await createKey(manager, { projectId: id }),
      await createKey(manager, { projectId: id, serviceAccountId: robot.id }),
      await createKey(member),
    ];
    for (const { key } of keys) await (await completeWith(gateway, key, 'nova-2-lite')).text();
    const report = async (client: ConsoleClient, rest: string) => {
      const { status, body } = await client.get(`/api/usage?${span()}&${rest}`);
      expect([status, body.error]).toEqual([200, undefined]);
      return body;
    };
    expect((await report(member, `projects=${id}`)).totals.requests).toBe(2);
    expect((await report(member, '')).totals.requests).toBe(1);
    expect((await stranger.get(`/api/usage?${span()}&projects=${id}`)).status).toBe(404);
    const { groups, totals } = await report(admin, 'scope=all&groupBy=project');
    const requestsOf = (required: string) =>
      groups.find((group: { id: string }) => group.id === required)?.totals.requests as number;
    expect(requestsOf(id)).toBe(2);
    expect(groups.find((group: { id: string }) => group.id === id).label).toBe(name);
    expect(groups.find((group: { id: string }) => group.id === '~none').label).toBe('No project');
    const sum = groups.reduce((all: number, group: { totals: { requests: number } }) => all + group.totals.requests, 0);
    expect(sum).toBe(totals.requests);
    const byUser = (await report(admin, 'scope=all&groupBy=user')).groups;
    const detailsOf = (label: string) =>
      byUser
        .filter((group: { label: string }) => group.label === label)
        .map(({ detail }: { detail: string }) => detail);
    expect(detailsOf(name)).toEqual(['Project']);
    const { items } = (await member.get(`/api/usage/calls?${span()}&projects=${id}`)).body;
    expect(items.map(({ projectName }: { projectName: string }) => projectName)).toEqual([name, name]);
    expect((await member.get(`/api/usage/calls/${items[0].id}`)).status).toBe(200);
    expect((await stranger.get(`/api/usage/calls/${items[0].id}`)).status).toBe(404);
    const csv = (await member.get(`/api/usage/export?${span()}&kind=calls&projects=${id}`)).body as string;
    const [head, ...rows] = csv.trim().split('\r\n');
    const column = head?.split(',').indexOf('projectName') ?? -1;
    expect(rows.map((row) => row.split(',')[column])).toEqual([name, name]);
  });

  it('is part of what its members see of their projects together: by user and project, and on the overview', async () => {
    const { id, userId } = await newProject();
    const { key } = await createKey(manager, { projectId: id });
    await (await completeWith(gateway, key, 'nova-2-lite')).text();
    const of = async (client: ConsoleClient, by: string, scope = 'projects') =>
      (await client.get(`/api/usage?${span()}&scope=${scope}&groupBy=${by}`)).body.groups?.map(
        ({ id: group }: { id: string }) => group,
      );
    await eventually(async () => (await of(member, 'user')).includes(userId));
    expect(await of(manager, 'project')).toContain(id);
    expect(await of(stranger, 'user')).toEqual([]);
    expect(await of(member, 'user', 'mine')).toBeUndefined();
    expect(await of(member, 'upstream')).toBeUndefined();
    const only = await member.get(`/api/usage?${span()}&scope=projects&users=${userId}`);
    expect(only.body.totals.requests).toBe(1);
    const foreign = await member.get(`/api/usage?${span()}&scope=projects&users=${stranger.user.id}`);
    expect(foreign.body.totals.requests).toBe(0);
    const facet = (client: ConsoleClient, name: string) =>
      client.get(`/api/usage/calls/facets?${span()}&scope=projects&of=${name}`);
    expect((await facet(member, 'user')).body.options).toContainEqual(
      expect.objectContaining({ id: userId, count: 1 }),
    );
    expect((await facet(member, 'project')).body.options).toContainEqual(expect.objectContaining({ id, count: 1 }));
    expect((await facet(stranger, 'project')).body.options).toEqual([]);
    const overview = async (client: ConsoleClient) =>
      (await client.get('/api/overview?scope=projects')).body.month.totals.requests;
    expect(await overview(manager)).toBeGreaterThan(0);
    expect(await overview(stranger)).toBe(0);
    expect((await manager.get('/api/session')).body.projectRole).toBe('manager');
    expect((await stranger.get('/api/session')).body.projectRole).toBeNull();
  });
});
