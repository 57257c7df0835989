import { describe, expect, it } from '@jest/globals';
import { GRANTABLE_PERMISSIONS } from '../src/accounts/permissions.js';
import { ProjectMembersService } from '../src/accounts/project-members.service.js';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../src/accounts/service-accounts.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { isAccessToken } from '../src/auth/api-key.secret.js';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

const gateway = await TestGateway.start();
const replica = await TestGateway.start({ database: gateway.database });
const admin = await ConsoleClient.as(gateway, 'admin');
const user = await gateway.createUser();

/** A program with a token. */
function program(token: string, at: { url: string } = gateway): ConsoleClient {
  const client = ConsoleClient.of(at);
  client.headers = { authorization: `Bearer ${token}` };
  return client;
}

async function newToken(client: ConsoleClient, scopes: string[], more: object = {}) {
  const { status, body } = await client.post('/api/tokens', { name: 'deploy', scopes, ...more });
  expect([status, body.error]).toEqual([201, undefined]);
  return body as { id: string; token: string; display: string; expiresAt: string };
}

describe('an access token', () => {
  it('is shown once, with a checksum, and stored as a hash', async () => {
    const created = await newToken(admin, ['usage.read']);
    expect(created.token).toMatch(/^gat_[0-9A-Za-z]{40}$/);
    expect(isAccessToken(created.token)).toBe(true);
    expect(isAccessToken(created.token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).toBe(false);
    expect(created.display).toBe(`${created.token.slice(0, 8)}…${created.token.slice(-4)}`);
    const [row] = await gateway.database.query<{ row: string }>(
      'SELECT t::text AS row FROM access_tokens AS t WHERE id = $1',
      [created.id],
    );
    expect(row?.row).not.toContain(created.token.slice(8, 30));
    const { body } = await admin.get(`/api/tokens/${created.id}`);
    expect(body).toMatchObject({ id: created.id, scopes: ['usage.read'], status: 'active', lastUsed: null });
    expect(JSON.stringify(body)).not.toContain(created.token.slice(8, 30));
  });

  it('lives for 90 days by default, and for a year at most', async () => {
    const { expiresAt } = await newToken(admin, ['usage.read']);
    expect(Date.parse(expiresAt) - Date.now()).toBeCloseTo(90 * 86_400_000, -5);
    const tooLong = { name: 'x', scopes: ['usage.read'], expiresAt: new Date(Date.now() + 366 * 86_400_000) };
    expect((await admin.post('/api/tokens', tooLong)).body.error).toMatchObject({ param: 'expiresAt' });
    const { status, body } = await admin.post('/api/tokens', { ...tooLong, expiresAt: null });
    expect([status, body.error.param]).toEqual([400, 'expiresAt']);
  });

  it('is refused with an unknown scope, which the error names with the known ones', async () => {
    const { status, body } = await admin.post('/api/tokens', { name: 'x', scopes: ['keys.read', 'everything'] });
    expect([status, body.error.param]).toEqual([400, 'scopes']);
    expect(body.error.message).toContain('usage.read');
  });

  it('needs a sign-in within 15 minutes in the console', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    await gateway.database.query("UPDATE sessions SET created_at = now() - interval '16 minutes' WHERE user_id = $1", [
      client.user.id,
    ]);
    const { status, body } = await client.post('/api/tokens', { name: 'x', scopes: ['usage.read'] });
    expect([status, body.error.code]).toEqual([403, 'recent_sign_in_required']);
    const { email, password } = client.user;
    await client.post('/api/session', { email, password });
    await newToken(client, ['usage.read']);
  });

  it('works on any route, without the protection that cookies need, and cookies beside it are ignored', async () => {
    const { token } = await newToken(await ConsoleClient.as(gateway, 'member'), ['account', 'usage.read']);
    const client = program(token);
    for (const [name, value] of admin.cookies) client.cookies.set(name, value);
    client.headers = { ...client.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const { status, body } = await client.patch('/api/account', { name: 'By a program' });
    expect([status, body.role]).toEqual([200, 'member']);
    expect((await client.get('/api/users')).body.error.message).toContain('users.read');
  });

  it('keeps the cookie of a person if a proxy sends credentials of another scheme', async () => {
    admin.headers = { authorization: 'Basic dXNlcjpwYXNz' };
    expect((await admin.get('/api/account')).status).toBe(200);
    admin.headers = {};
  });

  it('can do what its owner may do at that moment', async () => {
    const owner = await ConsoleClient.as(gateway, 'admin');
    const client = program((await newToken(owner, ['users.read'])).token);
    expect((await client.get('/api/users')).status).toBe(200);
    await admin.patch(`/api/users/${owner.user.id}`, { role: 'member' });
    expect((await client.get('/api/users')).body.error.code).toBe('admin_only');
    await admin.patch(`/api/users/${owner.user.id}`, { role: 'admin' });
    expect((await client.get('/api/users')).status).toBe(200);
  });

  it('ends at once in every process when it is revoked, has expired, or its owner is disabled', async () => {
    const endings: ((id: string, owner: string) => Promise<unknown>)[] = [
      (id) => admin.delete(`/api/tokens/${id}`),
      (id) => gateway.database.query('UPDATE access_tokens SET expires_at = now() WHERE id = $1', [id]),
      (_, owner) => admin.patch(`/api/users/${owner}`, { disabled: true }),
      (_, owner) => admin.post(`/api/users/${owner}/forget`),
    ];
    for (const end of endings) {
      const owner = await ConsoleClient.as(gateway, 'member');
      const { id, token } = await newToken(owner, ['usage.read']);
      expect((await program(token, replica).get('/api/limits')).status).toBe(200);
      await end(id, owner.user.id);
      const { status, body } = await program(token, replica).get('/api/limits');
      expect([status, body.error.code]).toEqual([401, 'invalid_access_token']);
      expect(body.error.message).not.toContain(token.slice(4, 12));
    }
  });

  it('records its last use: time, address and client', async () => {
    const { id, token } = await newToken(admin, ['usage.read']);
    const client = program(token);
    client.headers['user-agent'] = `ci/1.0 ${token}`;
    await client.get('/api/limits');
    const { lastUsed } = (await admin.get(`/api/tokens/${id}`)).body;
    expect(lastUsed).toMatchObject({ address: expect.stringMatching(/127\.0\.0\.1$/), userAgent: 'ci/1.0 gat_…' });
    expect(Date.now() - Date.parse(lastUsed.at)).toBeLessThan(60_000);
  });

  it('is refused from an address that is not on its list', async () => {
    const { id, token } = await newToken(admin, ['usage.read'], { addresses: ['203.0.113.0/24'] });
    const { status, body } = await program(token).get('/api/limits');
    expect([status, body.error.code]).toEqual([403, 'ip_not_allowed']);
    expect((await admin.patch(`/api/tokens/${id}`, { addresses: ['127.0.0.1'], name: 'here' })).body).toMatchObject({
      addresses: ['127.0.0.1'],
      name: 'here',
    });
    expect((await program(token).get('/api/limits')).status).toBe(200);
  });

  it('makes 600 requests a minute over all processes, then gets 429 with Retry-After', async () => {
    const { id, token } = await newToken(admin, ['usage.read']);
    await program(token).get('/api/limits');
    await gateway.database.query('UPDATE sign_in_limits SET points = 599 WHERE key = $1', [`token:${id}`]);
    expect((await program(token).get('/api/limits')).status).toBe(200);
    const { status, headers, body } = await program(token, replica).get('/api/limits');
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('stands in the audit log with the person and the token, without the secret', async () => {
    const { id, token } = await newToken(admin, ['users.write'], { name: 'terraform' });
    const { id: target } = await gateway.createPerson();
    await program(token).patch(`/api/users/${target}`, { name: token });
    await admin.delete(`/api/tokens/${id}`);
    const ofUser = (await admin.get(`/api/audit?target=user:${target}`)).body.items[0];
    expect(ofUser.actor).toMatchObject({ id: admin.user.id, name: `${admin.user.email} (token terraform)` });
    const entries = (await admin.get(`/api/audit?target=token:${id}`)).body.items;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['token.revoke', 'token.create']);
    const all = await gateway.database.query<{ row: string }>('SELECT a::text AS row FROM audit_log AS a');
    expect(all.map(({ row }) => row).join()).not.toContain(token.slice(8, 30));
    expect(JSON.stringify(gateway.log)).not.toContain(token.slice(8, 30));
  });

  it('is among the tokens of its owner only, page by page, and found by its exact name', async () => {
    const owner = await ConsoleClient.as(gateway, 'member');
    for (const name of ['one', 'two', 'three']) await newToken(owner, ['usage.read'], { name });
    const first = (await owner.get('/api/tokens?limit=2')).body;
    const second = (await owner.get(`/api/tokens?limit=2&cursor=${first.next}`)).body;
    const names = [...first.items, ...second.items].map(({ name }: { name: string }) => name);
    expect([names, second.next]).toEqual([['three', 'two', 'one'], null]);
    expect((await owner.get('/api/tokens?name=two')).body.items).toMatchObject([{ name: 'two' }]);
    expect((await owner.get('/api/tokens?scope=all')).body.error.code).toBe('admin_only');
    const id = first.items[0].id;
    expect((await (await ConsoleClient.as(gateway, 'member')).delete(`/api/tokens/${id}`)).status).toBe(404);
    expect((await admin.get('/api/tokens?scope=all&q=three')).body.items).toMatchObject([{ id }]);
  });
});

describe('a token that creates a token', () => {
  it('gives it nothing that it does not have itself: scopes, addresses, time', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const bounds = { expiresAt: soon, addresses: ['127.0.0.0/8'] };
    const client = program((await newToken(admin, ['tokens.write', 'usage.read'], bounds)).token);
    const attempt = async (body: object) => (await client.post('/api/tokens', { name: 'x', ...body })).body.error;
    expect(await attempt({ scopes: ['usage.read', 'users.write'] })).toMatchObject({
      code: 'insufficient_permissions',
      message: expect.stringContaining('users.write'),
    });
    expect(await attempt({ scopes: ['usage.read'], addresses: ['10.0.0.1'] })).toMatchObject({ param: 'addresses' });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    expect(await attempt({ scopes: ['usage.read'], expiresAt: later })).toMatchObject({ param: 'expiresAt' });
    expect(await newToken(client, ['usage.read'])).toMatchObject({ expiresAt: soon, addresses: ['127.0.0.0/8'] });
    const wide = await newToken(admin, ['users.write']);
    expect((await client.patch(`/api/tokens/${wide.id}`, { addresses: ['127.0.0.1'] })).status).toBe(403);
  });
});

describe('a token with a part of the permissions', () => {
  it('makes nobody an administrator, and opens no administrator account by a link or another address', async () => {
    const client = program((await newToken(admin, ['users.read', 'users.write'])).token);
    const { id } = (await client.post('/api/users', { email: 'plain@example.com' })).body.user;
    const person = { email: 'more@example.com', role: 'admin' };
    const replies = [
      await client.post('/api/users', person),
      await client.post('/api/users/batch', { users: [person] }),
      await client.patch(`/api/users/${id}`, { role: 'admin' }),
      await client.post(`/api/users/${admin.user.id}/link`),
      await client.patch(`/api/users/${admin.user.id}`, { email: 'mine@example.com' }),
    ];
    expect(replies.map(({ body }) => body.error?.code)).toEqual(replies.map(() => 'insufficient_permissions'));
    expect((await admin.get('/api/users?email=more@example.com')).body.items).toEqual([]);
    expect((await client.post(`/api/users/${id}/link`)).status).toBe(201);
    expect((await client.patch(`/api/users/${admin.user.id}`, { email: admin.user.email })).status).toBe(200);
    const all = program((await newToken(admin, [...GRANTABLE_PERMISSIONS])).token);
    expect((await all.post('/api/users', person)).body.user).toMatchObject({ role: 'admin' });
  });

  it('gets the project that it creates, renames or archives without the permission to read others', async () => {
    const client = program((await newToken(admin, ['projects.write'])).token);
    const { status, body } = await client.post('/api/projects', { name: 'Unread' });
    expect([status, body.name]).toEqual([201, 'Unread']);
    expect((await client.patch(`/api/projects/${body.id}`, { name: 'Unread 2' })).body.name).toBe('Unread 2');
    expect((await client.delete(`/api/projects/${body.id}`)).status).toBe(200);
    expect((await client.get(`/api/projects/${body.id}`)).status).toBe(403);
  });
});

describe('the wrong kind of secret', () => {
  it('gets a 401 that says which one belongs at /api, and which at /v1', async () => {
    const atApi = await program(user.key.key).get('/api/models');
    expect([atApi.status, atApi.body.error.message]).toEqual([401, expect.stringMatching(/svc_.*at \/v1.*gat_/)]);
    const { token } = await newToken(admin, ['usage.read']);
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }, { 'api-key': token }]) {
      const response = await fetch(`${gateway.url}/v1/models`, { headers });
      const { error } = (await response.json()) as { error: { message: string } };
      expect([response.status, error.message]).toEqual([401, expect.stringMatching(/gat_.*at \/api.*svc_/)]);
      expect(error.message).not.toContain(token.slice(4, 12));
    }
  });

  it('counts against the address: after 100 in an hour, only valid tokens are answered', async () => {
    const { token } = await newToken(admin, ['usage.read']);
    await program('gat_nothing').get('/api/models');
    await gateway.database.query("UPDATE sign_in_limits SET points = 100 WHERE key LIKE 'token-client:%'");
    const { status, headers } = await program('gat_nothing').get('/api/models');
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await program(token).get('/api/limits')).status).toBe(200);
    await gateway.database.query("DELETE FROM sign_in_limits WHERE key LIKE 'token-client:%'");
  });
});

describe('a service account', () => {
  it('has no permission at first; its tokens stay within those that an administrator gave it', async () => {
    const project = await gateway.services.get(ProjectsService).create('Platform', GATEWAY);
    const account = await gateway.services.get(ServiceAccountsService).create(project.id, 'terraform', GATEWAY);
    const serviceAccountId = account.id;
    const refused = await admin.post('/api/tokens', { name: 'x', scopes: ['users.read'], serviceAccountId });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'scopes']);
    const given = { permissions: ['users.read', 'users.write', 'keys.write'] };
    expect((await admin.patch(`/api/users/${account.id}`, given)).body.permissions.sort()).toEqual(
      given.permissions.toSorted(),
    );
    const { token } = await newToken(admin, ['users.read', 'users.write'], { serviceAccountId });
    const client = program(token);
    expect((await client.get('/api/users?email=nobody@example.com')).body.items).toEqual([]);
    expect((await client.post('/api/users', { email: 'made@example.com' })).status).toBe(201);
    const more = await client.patch(`/api/users/${account.id}`, { permissions: ['audit.read'] });
    expect(more.body.error).toMatchObject({ code: 'insufficient_permissions' });
    await admin.patch(`/api/users/${account.id}`, { permissions: [] });
    expect((await client.get('/api/users')).status).toBe(403);
    await admin.post(`/api/projects/${project.id}/archive`);
    expect((await client.get('/api/users')).status).toBe(401);
  });

  it('has tokens that a manager of its project can see and revoke, but creates only with own rights', async () => {
    const manager = await ConsoleClient.as(gateway, 'member');
    const project = await gateway.services.get(ProjectsService).create('Search', GATEWAY);
    const { id } = await gateway.services.get(ServiceAccountsService).create(project.id, 'crawler', GATEWAY);
    await gateway.services.get(ProjectMembersService).set(project.id, manager.user.id, 'manager', GATEWAY);
    await admin.patch(`/api/users/${id}`, { permissions: ['users.write'] });
    const created = await newToken(admin, ['users.write'], { serviceAccountId: id });
    const attempt = { name: 'x', scopes: ['users.write'], serviceAccountId: id };
    expect((await manager.post('/api/tokens', attempt)).body.error.code).toBe('insufficient_permissions');
    const listed = (await manager.get(`/api/tokens?serviceAccountId=${id}`)).body.items;
    expect(listed).toMatchObject([{ id: created.id, owner: { id, label: 'crawler' } }]);
    const member = await ConsoleClient.as(gateway, 'member');
    expect((await member.get(`/api/tokens?serviceAccountId=${id}`)).status).toBe(404);
    expect((await manager.delete(`/api/tokens/${created.id}`)).body.status).toBe('revoked');
  });
});
