import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const PASSWORD = 'a password of my own';
const DEAD_LINK = { status: 403, body: { error: { code: 'invalid_link' } } };

let invitations = 0;

const gateway = await TestGateway.start();
const admin = await ConsoleClient.as(gateway, 'admin');

const tokenOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);

async function invite(fields: object = {}) {
  const { status, body, headers } = await admin.post('/api/users', {
    email: `invited-${++invitations}@example.com`,
    ...fields,
  });
  return { status, headers, ...body };
}

describe('the list of users', () => {
  it('has the details of each user for administrators', async () => {
    const { id, email, key } = await gateway.createUser({ plan: 'pro' });
    const { body } = await admin.get('/api/users');
    expect(body.items.find((user: { id: string }) => user.id === id)).toEqual({
      id,
      email,
      name: '',
      role: 'member',
      project: null,
      kind: 'person',
      source: 'local',
      status: 'active',
      plan: { id: 'pro', name: 'Pro', since: expect.stringMatching(/Z$/), until: null },
      permissions: [],
      keys: 1,
      spentThisMonth: { costNanodollars: '0', costUsd: 0, calls: 0 },
      lastSeenAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(body.items.find((user: { id: string }) => user.id === admin.user.id)).toMatchObject({
      role: 'admin',
      plan: { id: 'free', since: null },
      lastSeenAt: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash/);
    expect(JSON.stringify(body)).not.toContain(key.key);
  });

  it('is sorted, searched and filtered by the gateway, page by page', async () => {
    const own = 'listed.example';
    const create = async (name: string, body: object) => {
      const { user } = (await admin.post('/api/users', { email: `${name}@${own}`, ...body })).body;
      return user as { id: string; email: string };
    };
    const ada = await create('ada', { name: 'Ada Lovelace' });
    const bot = await create('bot', { kind: 'service' });
    const cleo = await create('cleo', {});
    await admin.patch(`/api/users/${cleo.id}`, { disabled: true });
    await admin.post(`/api/users/${bot.id}/plan`, { planId: 'pro', until: null });
    for (const name of ['one', 'two']) await admin.post('/api/keys', { name, userId: bot.id });
    await admin.post('/api/keys', { name: 'three', userId: ada.id });
    await gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       SELECT 'chatcmpl-of-ada', now(), 1, 'r', id, user_id, 'free', 'm', false, 'settled', 'v', 5 FROM api_keys WHERE user_id = $1`,
      [ada.id],
    );
    const emails = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { status, body } = await admin.get(
          `/api/users?q=${own}&limit=1&${query}${cursor && `&cursor=${cursor}`}`,
        );
        expect([query, status]).toEqual([query, 200]);
        found.push(...body.items.map(({ email }: { email: string }) => email.split('@')[0]));
        if (body.next === null) return found.join(' ');
        cursor = body.next;
      }
    };
    for (const [query, expected] of [
      ['', 'ada bot cleo'],
      ['sort=-email', 'cleo bot ada'],
      ['sort=keys', 'cleo ada bot'],
      ['sort=-keys', 'bot ada cleo'],
      ['sort=status', 'bot cleo ada'],
      ['sort=source&source=service', 'bot'],
      ['status=invited', 'ada'],
      ['status=active,disabled', 'bot cleo'],
      ['status=active&status=disabled&role=admin', ''],
      [`ids=${ada.id},${cleo.id}`, 'ada cleo'],
    ]) {
      expect([query, await emails(query ?? '')]).toEqual([query, expected]);
    }
    expect((await emails('sort=-plan')).split(' ')[0]).toBe('bot');
    expect((await emails('sort=-spent')).split(' ')[0]).toBe('ada');
    for (const sort of ['role', '-role', 'plan', '-seen', 'seen', 'spent', '-source']) {
      expect((await emails(`sort=${sort}`)).split(' ').toSorted()).toEqual(['ada', 'bot', 'cleo']);
    }
    const found = async (q: string) => (await admin.get(`/api/users?q=${encodeURIComponent(q)}`)).body;
    expect(await found(`lovelace ${own}`)).toMatchObject({
      items: [{ id: ada.id }],
      total: { count: 1, isExact: true },
    });
    expect(await found(`pro ${own}`)).toMatchObject({ items: [{ id: bot.id }] });
    for (const wrong of ['sort=password', 'limit=0', 'limit=201', 'status=none', 'ids=x', 'cursor=x']) {
      expect([wrong, (await admin.get(`/api/users?${wrong}`)).status]).toEqual([wrong, 400]);
    }
  });

  it('is not available to members', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    expect((await member.get('/api/users')).status).toBe(403);
    expect((await member.get(`/api/users/${member.user.id}`)).status).toBe(403);
  });

  it('returns one user by id, and none for an unknown id', async () => {
    expect((await admin.get(`/api/users/${admin.user.id}`)).body).toMatchObject({ email: admin.user.email });
    for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
      const unknown = { status: 404, body: { error: { code: 'not_found', message: 'The user does not exist.' } } };
      expect(await admin.get(`/api/users/${id}`)).toMatchObject(unknown);
      expect(await admin.patch(`/api/users/${id}`, { name: 'x' })).toMatchObject(unknown);
      expect(await admin.post(`/api/users/${id}/link`)).toMatchObject(unknown);
    }
  });
});

describe('inviting a person', () => {
  it('gives a link, once, with which the person sets a password and is signed in', async () => {
    const { status, headers, user, link } = await invite({ name: 'Grace', role: 'admin' });
    expect({ status, user }).toMatchObject({ status: 201, user: { name: 'Grace', role: 'admin', status: 'invited' } });
    expect(headers.get('cache-control')).toContain('no-store');
    expect(link.url).toMatch(new RegExp(`^${gateway.url}/password#[\\w-]{43}$`));
    expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    const grace = ConsoleClient.of(gateway);
    const token = tokenOf(link);
    const check = await grace.post('/api/password-links/check', { token });
    expect(check).toMatchObject({ status: 200, body: { email: user.email, name: 'Grace', hasPassword: false } });
    const used = await grace.post('/api/password-links/use', { token, password: PASSWORD });
    expect(used).toMatchObject({ status: 200, body: { user: { email: user.email, role: 'admin' } } });
    expect((await grace.get(`/api/users/${user.id}`)).body).toMatchObject({ status: 'active' });
    expect(await grace.post('/api/password-links/use', { token, password: PASSWORD })).toMatchObject(DEAD_LINK);
    expect(await grace.post('/api/password-links/check', { token })).toMatchObject(DEAD_LINK);
  });

  it('is refused for the same address in another spelling', async () => {
    const { user } = await invite();
    const { status, error } = await invite({ email: user.email.toUpperCase() });
    expect({ status, error }).toMatchObject({ status: 400, error: { param: 'email' } });
    expect(error.message).toContain('already');
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['role', { role: 'root' }],
    ['kind', { kind: 'robot' }],
    ['name', { name: 'x'.repeat(101) }],
    ['password', { password: 'a password of my own' }],
    ['role', { kind: 'service', role: 'admin' }],
  ])('names %s if it is invalid', async (param, fields) => {
    const { status, error } = await invite(fields);
    expect({ status, param: error?.param }).toEqual({ status: 400, param });
  });

  it('creates no link for a service account', async () => {
    const { status, user, link } = await invite({ kind: 'service' });
    expect({ status, link, user }).toMatchObject({
      status: 201,
      link: null,
      user: { source: 'service', status: 'active' },
    });
    expect((await admin.post(`/api/users/${user.id}/link`)).status).toBe(400);
  });
});

describe('a one-time link', () => {
  it('ends with the next link, after 24 hours, with its user, and when a password is set in another way', async () => {
    const { user, link } = await invite();
    const check = (one: { url: string }) =>
      ConsoleClient.of(gateway).post('/api/password-links/check', { token: tokenOf(one) });
    const { status, body: second } = await admin.post(`/api/users/${user.id}/link`);
    expect(status).toBe(201);
    expect(await check(link)).toMatchObject(DEAD_LINK);
    expect((await check(second)).status).toBe(200);
    await gateway.database.query('UPDATE one_time_links SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(await check(second)).toMatchObject(DEAD_LINK);
    const { body: third } = await admin.post(`/api/users/${user.id}/link`);
    await admin.patch(`/api/users/${user.id}`, { disabled: true });
    expect(await check(third)).toMatchObject(DEAD_LINK);
    expect((await admin.post(`/api/users/${user.id}/link`)).status).toBe(400);
    await admin.patch(`/api/users/${user.id}`, { disabled: false });
    expect(await check(third)).toMatchObject(DEAD_LINK);
  });

  it('can be used once, also by concurrent requests', async () => {
    const { link } = await invite();
    const replies = await Promise.all(
      [1, 2, 3].map((i) =>
        ConsoleClient.of(gateway).post('/api/password-links/use', {
          token: tokenOf(link),
          password: `${PASSWORD} ${i}`,
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  });

  it('ends all other sessions, which an attacker may have', async () => {
    const thief = await ConsoleClient.as(gateway, 'member');
    const { body: link } = await admin.post(`/api/users/${thief.user.id}/link`);
    const owner = ConsoleClient.of(gateway);
    const token = tokenOf(link);
    expect((await owner.post('/api/password-links/check', { token })).body).toMatchObject({ hasPassword: true });
    expect((await owner.post('/api/password-links/use', { token, password: PASSWORD })).status).toBe(200);
    expect((await thief.get('/api/account')).status).toBe(401);
    expect((await owner.get('/api/account')).status).toBe(200);
  });

  it('is recorded in the audit log without its token, and nowhere else', async () => {
    const { user, link } = await invite();
    await ConsoleClient.of(gateway).post('/api/password-links/use', { token: tokenOf(link), password: PASSWORD });
    const entries = await gateway.database.query('SELECT * FROM audit_log WHERE target_id = $1 ORDER BY id', [user.id]);
    expect(entries.map(({ action }) => action)).toEqual([
      'user.create',
      'link.create',
      'link.use',
      'user.password',
      'session.sign_in',
    ]);
    const stored = await gateway.database.query('SELECT (l.*)::text FROM one_time_links l');
    for (const place of [entries, stored, gateway.log]) expect(JSON.stringify(place)).not.toContain(tokenOf(link));
  });
});

describe('changing a user', () => {
  it('takes effect at the next request, for demoted admins and promoted members', async () => {
    const other = await ConsoleClient.as(gateway, 'admin');
    expect((await other.get('/api/users')).status).toBe(200);
    const demoted = await admin.patch(`/api/users/${other.user.id}`, { role: 'member' });
    expect(demoted).toMatchObject({ status: 200, body: { role: 'member' } });
    expect((await other.get('/api/users')).status).toBe(403);
    await admin.patch(`/api/users/${other.user.id}`, { role: 'admin' });
    expect((await other.get('/api/users')).status).toBe(200);
  });

  it('changing a user that disables it ends sessions immediately and keys within a second; enabling restores the keys', async () => {
    const { id, headers } = await gateway.createUser();
    const member = await ConsoleClient.as(gateway, 'member');
    const call = async () => (await gateway.get('/v1/models', headers)).status;
    expect(await call()).toBe(200);
    expect((await admin.patch(`/api/users/${id}`, { disabled: true })).body.status).toBe('disabled');
    await eventually(async () => (await call()) === 403, 1000);
    await admin.patch(`/api/users/${member.user.id}`, { disabled: true });
    expect((await member.get('/api/account')).status).toBe(401);
    await admin.patch(`/api/users/${id}`, { disabled: false });
    await eventually(async () => (await call()) === 200, 1000);
  });

  it('never leaves the gateway without an administrator, and an administrator cannot lose access by accident', async () => {
    for (const change of [{ role: 'member' }, { disabled: true }]) {
      const { status, body } = await admin.patch(`/api/users/${admin.user.id}`, change);
      expect({ status, message: body.error.message }).toMatchObject({
        status: 400,
        message: expect.stringContaining('Ask another administrator'),
      });
    }
    expect((await admin.get('/api/users')).status).toBe(200);
  });

  it.each([{ email: 'not an address' }, { password: PASSWORD }, { disabled: 'yes' }, { role: null }])(
    'rejects %j',
    async (body) => {
      const member = await gateway.createPerson();
      const reply = await admin.patch(`/api/users/${member.id}`, body);
      expect(reply).toMatchObject({ status: 400, body: { error: { param: Object.keys(body)[0] } } });
    },
  );
});
