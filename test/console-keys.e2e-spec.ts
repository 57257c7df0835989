import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { PlansService } from '../src/billing/plans.service.js';
import { ConsoleClient } from './support/console-client.js';
import { auditOf, completeWith, createKey, statusOf } from './support/console-keys.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const queries: string[] = [];

const { gateway, admin, alice, bob } = await startConsole();
const dataSource = gateway.services.get<DataSource>(getDataSourceToken());
dataSource.logger.logQuery = (query) => {
  if (/FROM\s+"?(api_keys|users|sessions|usage)/i.test(query)) queries.push(query);
};

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('a key created in the console', () => {
  it('is shown once, in a response that is not cached, and works immediately', async () => {
    const reply = await alice.post('/api/keys', { name: ' laptop ', note: 'for the train' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('cache-control')).toContain('no-store');
    const { key, ...view } = reply.body;
    expect(view).toMatchObject({
      ...{ name: 'laptop', note: 'for the train', status: 'active', models: null, addresses: null, lastUsed: null },
      ...{ owner: { id: alice.user.id, email: alice.user.email, kind: 'person', disabled: false }, previous: null },
      spentThisMonth: { costNanodollars: '0', costUsd: 0, calls: 0 },
    });
    expect(await statusOf(gateway, key)).toBe(200);
    const list = await alice.get('/api/keys');
    expect(list.headers.get('cache-control')).toContain('no-store');
    expect(list.body.items).toContainEqual(view);
    expect(JSON.stringify([list.body, (await alice.get(`/api/keys/${view.id}`)).body])).not.toContain(key);
  });

  it('expires according to the key policy by default, and never if requested', async () => {
    const [usual, never] = [await createKey(alice), await createKey(alice, { expiresAt: null })];
    expect(Math.abs(Date.parse(usual.expiresAt) - Date.now() - 90 * DAY_MS)).toBeLessThan(MINUTE_MS);
    expect(never.expiresAt).toBeNull();
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is no text', { name: null }, 'name'],
    ['an expiry in the past', { expiresAt: inDays(-1) }, 'expiresAt'],
    ['an expiry that is no instant', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown model', { models: ['nova-2-lite', 'nova-heavy'] }, 'models[1]'],
    ['a model beyond the plan of its owner', { models: ['claude-opus-5.5'] }, 'models[0]'],
    ['no model at all', { models: [] }, 'models'],
    ['what is no address', { addresses: ['10.0.0.1', 'home'] }, 'addresses[1]'],
    ['a note that is no text', { note: 7 }, 'note'],
    ['an unknown field', { budget: 1 }, 'budget'],
    ['an owner that is not there', { userId: randomUUID() }, 'userId'],
  ])('is refused with %s, and so is such a change', async (_, fault, field) => {
    const name = 'name' in fault || field === 'name' ? {} : { name: 'laptop' };
    const client = field === 'userId' ? admin : alice;
    const refused = { status: 400, body: { error: { param: field, type: 'invalid_request_error' } } };
    expect(await client.post('/api/keys', { ...name, ...fault })).toMatchObject(refused);
    if (Object.keys(fault).length === 0) return;
    const { id } = await createKey(client);
    expect(await client.patch(`/api/keys/${id}`, fault)).toMatchObject(refused);
  });

  it('can be created for another user, such as a service account, only by an admin', async () => {
    const service = await gateway.services
      .get(UsersService)
      .create({ email: 'ci@example.com', kind: 'service' }, GATEWAY);
    expect(await alice.post('/api/keys', { name: 'x', userId: service.id })).toMatchObject({ status: 403 });
    const { id, key, owner } = await createKey(admin, { userId: service.id });
    expect(owner).toMatchObject({ email: 'ci@example.com', kind: 'service' });
    expect(await statusOf(gateway, key)).toBe(200);
    expect((await admin.get('/api/keys')).body.items.map((one: { id: string }) => one.id)).not.toContain(id);
    const all = await admin.get('/api/keys?scope=all&limit=200');
    expect(all.body.items).toContainEqual(expect.objectContaining({ id, owner }));
  });
});

describe('the key of another user', () => {
  it('is not found for a member, whatever the request', async () => {
    const { id, key } = await createKey(bob);
    const attempts = (one: string) => [
      alice.get(`/api/keys/${one}`),
      alice.get(`/api/keys/${one}/activity`),
      alice.patch(`/api/keys/${one}`, { name: 'mine' }),
      alice.post(`/api/keys/${one}/rotate`, { overlap: 'none' }),
      alice.delete(`/api/keys/${one}`),
    ];
    const bodies = await Promise.all([id, randomUUID(), 'nothing', '%27%20OR%201=1'].flatMap(attempts));
    const [first] = bodies;
    expect(first).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    for (const { status, body } of bodies) expect({ status, body }).toEqual({ status: 404, body: first?.body });
    expect(await statusOf(gateway, key)).toBe(200);
    expect((await bob.get(`/api/keys/${id}`)).body).toMatchObject({ name: 'laptop', status: 'active' });
  });

  it('is found by a search of its owner or an administrator, but not of others', async () => {
    const { id } = await createKey(bob, { name: 'needle-in-hay' });
    const search = async (who: ConsoleClient, query: string) => (await who.get(`/api/keys?q=NEEDLE&${query}`)).body;
    expect(await search(bob, '')).toMatchObject({ items: [{ id }], next: null, total: { count: 1, isExact: true } });
    expect((await search(alice, '')).items).toEqual([]);
    expect((await search(alice, `ids=${id}`)).items).toEqual([]);
    expect((await search(admin, '')).items).toEqual([]);
    expect((await search(admin, `scope=all&ids=${id}&status=active&sort=-spent`)).items).toMatchObject([{ id }]);
    expect((await search(admin, 'scope=all&status=revoked')).items).toEqual([]);
    const refused = ['sort=secret', 'status=lost', 'limit=1000', 'ids=1', 'cursor=AAAA', 'q=%00'];
    for (const query of refused) expect([query, (await bob.get(`/api/keys?${query}`)).status]).toEqual([query, 400]);
  });

  it('is listed only for admins, who can also change it', async () => {
    const { id } = await createKey(bob);
    expect(await alice.get('/api/keys?scope=all')).toMatchObject({
      status: 403,
      body: { error: { code: 'admin_only' } },
    });
    expect((await alice.get('/api/keys')).body.items.map((one: { id: string }) => one.id)).not.toContain(id);
    const changed = await admin.patch(`/api/keys/${id}`, { note: 'seen' });
    expect(changed).toMatchObject({ status: 200, body: { note: 'seen', owner: { email: bob.user.email } } });
    expect((await auditOf(gateway, id))[1]).toMatchObject({ action: 'key.update', actor_name: admin.user.email });
  });
});

describe('limits and disabling by an administrator', () => {
  const refusedFor = (param: string) => ({ status: 400, body: { error: { param } } });

  it('are bounds for the owner, who can only narrow them further', async () => {
    const { id } = await createKey(alice);
    const path = `/api/keys/${id}`;
    const bounds = { models: ['nova-2-lite', 'gpt-6-luna'], addresses: ['10.0.0.0/8', '::1'], expiresAt: inDays(20) };
    expect((await admin.patch(path, bounds)).body).toMatchObject({ bounds, ...bounds });
    for (const [param, wishes] of Object.entries({
      models: [null, ['nova-2-lite', 'gpt-oss-20b']],
      addresses: [null, ['10.0.0.0/7'], ['10.0.0.1', '11.0.0.1'], ['::/64']],
      expiresAt: [null, inDays(21)],
    })) {
      for (const input of wishes) expect(await alice.patch(path, { [param]: input })).toMatchObject(refusedFor(param));
    }
    const narrower = { models: ['nova-2-lite'], addresses: ['10.1.0.0/16', '10.0.0.7', '::1'], expiresAt: inDays(10) };
    expect(await alice.patch(path, { ...narrower, name: 'mine' })).toMatchObject({ status: 200, body: narrower });
    expect(await alice.patch(path, bounds)).toMatchObject({ status: 200, body: bounds });
    const [row] = await gateway.database.query('SELECT bound_by FROM api_keys WHERE id = $1', [id]);
    expect(row).toEqual({ bound_by: admin.user.id });
    await admin.patch(path, { models: null, addresses: null, expiresAt: null });
    expect(await alice.patch(path, { models: ['gpt-6-luna'] })).toMatchObject({ status: 200 });
    expect(await alice.patch(path, { models: null })).toMatchObject({ status: 200, body: { models: null } });
  });

  it('are bounds for the owner from the creation of the key', async () => {
    const { id } = await createKey(admin, { userId: alice.user.id, models: ['nova-2-lite'] });
    expect(await alice.patch(`/api/keys/${id}`, { models: null })).toMatchObject(refusedFor('models'));
    expect((await alice.post(`/api/keys/${id}/rotate`, { overlap: 'none' })).body).toMatchObject({
      models: ['nova-2-lite'],
    });
  });

  it('can only be undone by administrators, even if the owner disabled the key before', async () => {
    const { id, key } = await createKey(alice);
    const path = `/api/keys/${id}`;
    expect((await alice.patch(path, { disabled: true })).body).toMatchObject({ status: 'disabled' });
    expect((await alice.patch(path, { disabled: false })).body).toMatchObject({ status: 'active' });
    await alice.patch(path, { disabled: true });
    expect((await admin.patch(path, { disabled: true })).body).toMatchObject({ disabledBy: 'administrator' });
    expect(await alice.patch(path, { disabled: false })).toMatchObject(refusedFor('disabled'));
    expect(await statusOf(gateway, key)).toBe(401);
    expect((await auditOf(gateway, id)).at(-1)).toMatchObject({ action: 'key.disable', actor_name: admin.user.email });
    expect((await admin.patch(path, { disabled: false })).body).toMatchObject({ status: 'active' });
  });

  it('are no bounds if administrators set them on their own keys', async () => {
    const one = await ConsoleClient.as(gateway, 'admin');
    const { id } = await createKey(one, { models: ['nova-2-lite'] });
    await gateway.services.get(UsersService).update(one.user.id, { role: 'member' }, GATEWAY);
    expect(await one.patch(`/api/keys/${id}`, { models: null })).toMatchObject({ status: 200, body: { models: null } });
  });
});

it('concurrent revocations of a key all succeed, and the audit log has one entry', async () => {
  const { id } = await createKey(alice);
  const replies = await Promise.all(Array.from({ length: 5 }, () => alice.delete(`/api/keys/${id}`)));
  for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { id, status: 'revoked' } });
  expect((await auditOf(gateway, id)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
});

describe('the usage of a key', () => {
  it('is shown with the key: time, address, client, model and cost', async () => {
    await gateway.services.get(PlansService).grant(bob.user.id, 'pro', null, 'test', GATEWAY);
    const { id, key } = await createKey(bob);
    expect((await completeWith(gateway, key, 'nova-2-lite')).status).toBe(200);
    expect(await bob.get(`/api/keys/${id}/activity`)).toMatchObject({ status: 200, body: { callsLast24h: 1 } });
    const lastUsed = { address: '127.0.0.1', userAgent: 'tool/1 svc_…', model: 'nova-2-lite' };
    await eventually(async () => (await bob.get(`/api/keys/${id}`)).body.lastUsed !== null);
    const { body } = await bob.get(`/api/keys/${id}`);
    expect(body).toMatchObject({ lastUsed, spentThisMonth: { calls: 1 } });
    expect(Math.abs(Date.parse(body.lastUsed.at) - Date.now())).toBeLessThan(MINUTE_MS);
    expect((await bob.get(`/api/keys/${id}/activity`)).body.lastUsed).toEqual(body.lastUsed);
  });
});

it('the list makes as many queries for many keys as for one', async () => {
  const carol = await ConsoleClient.as(gateway, 'member');
  // The gateway's own timers query, too: the smallest count of several is about the list's.
  const queriesOfList = async () => {
    const counts: number[] = [];
    for (let i = 0; i < 5; i++) {
      const before = queries.length;
      expect((await carol.get('/api/keys')).status).toBe(200);
      counts.push(queries.length - before);
    }
    return Math.min(...counts);
  };
  await createKey(carol);
  const forOne = await queriesOfList();
  await Promise.all(Array.from({ length: 20 }, (_, i) => createKey(carol, { name: `many-${i}` })));
  expect(await queriesOfList()).toBeLessThan(forOne + 5);
  expect(forOne).toBeGreaterThan(0);
});

it('the audit log and the log contain no secret and no hash', async () => {
  const { id, key } = await createKey(alice);
  const { body } = await alice.post(`/api/keys/${id}/rotate`, { overlap: '24h' });
  await alice.patch(`/api/keys/${id}`, { note: 'rotated' });
  await alice.delete(`/api/keys/${id}`);
  const entries = await auditOf(gateway, id);
  expect(entries.map(({ action }) => action)).toEqual(['key.create', 'key.rotate', 'key.update', 'key.revoke']);
  expect(entries[0]).toMatchObject({ actor_kind: 'user', actor_id: alice.user.id, address: '127.0.0.1' });
  const reported = JSON.stringify([entries, gateway.log]);
  for (const secret of [key, body.key]) expect(reported).not.toContain(secret.slice(4, 20));
});

describe('a change of several keys', () => {
  const create = async (name: string, who = alice) => (await who.post('/api/keys', { name })).body as { id: string };
  const statuses = async () => {
    const keys: { id: string; status: string }[] = (await admin.get('/api/keys?scope=all&limit=200')).body.items;
    return new Map(keys.map(({ id, status }) => [id, status]));
  };

  it('is one step: the keys are disabled, enabled or revoked together, each with an entry in the audit log', async () => {
    const ids = [(await create('bulk-one')).id, (await create('bulk-two')).id];
    for (const [change, status] of [
      ['disable', 'disabled'],
      ['enable', 'active'],
      ['revoke', 'revoked'],
    ]) {
      const { status: code, body } = await alice.post('/api/keys/changes', { ids, change });
      expect([code, body.length]).toEqual([200, 2]);
      const now = await statuses();
      expect(ids.map((id) => now.get(id))).toEqual([status, status]);
      const { items } = (await admin.get(`/api/audit?action=key.${change}`)).body;
      expect(
        items
          .slice(0, 2)
          .map(({ target }: { target: { id: string } }) => target.id)
          .sort(),
      ).toEqual(ids.toSorted());
    }
  });

  it('changes no key if one of them cannot be changed', async () => {
    const [own, foreign] = [await create('bulk-own'), await create('bulk-foreign', bob)];
    const refused = await alice.post('/api/keys/changes', { ids: [own.id, foreign.id], change: 'disable' });
    expect(refused.status).toBe(404);
    expect((await statuses()).get(own.id)).toBe('active');
    const { body } = await alice.post('/api/keys/activity', { ids: [own.id, foreign.id] });
    expect(body).toEqual([{ id: own.id, callsLast24h: 0 }]);
  });
});
