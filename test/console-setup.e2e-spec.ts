import { beforeAll, describe, expect, it } from '@jest/globals';
import { SetupService } from '../src/accounts/setup.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import { allOf } from './support/all-of.js';
import { ConsoleClient } from './support/console-client.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const ADMIN = { email: 'Ada@Example.com', name: 'Ada', password: 'correct horse battery' };
const REFUSED = { status: 403, body: { error: { code: 'invalid_setup_token' } } };

let gateway: TestGateway;
const users = () => allOf(gateway.services.get(UsersService).batches());
const issue = async () => (await gateway.services.get(SetupService).issueToken()) ?? '';

/** As before the first administrator. */
const reopen = () => gateway.database.query('UPDATE setup SET done_at = NULL');
const validFor = async () => {
  const sql = 'SELECT extract(epoch FROM token_expires_at - now())::int AS seconds FROM setup';
  return (await gateway.database.query(sql))[0]?.seconds;
};

describe('the first administrator', () => {
  beforeAll(async () => {
    gateway = await TestGateway.start();
  });

  it('does not exist yet', async () => {
    const client = ConsoleClient.of(gateway);
    expect((await client.get('/api/setup')).body).toEqual({ needed: true });
    expect((await client.get('/api/session')).body.signIn.setupNeeded).toBe(true);
  });

  it('is not created with a wrong or expired token, or with invalid values', async () => {
    const token = await issue();
    const client = ConsoleClient.of(gateway);
    for (const wrong of ['x', `${token}x`, token.slice(1)]) {
      expect(await client.post('/api/setup', { token: wrong, ...ADMIN })).toMatchObject(REFUSED);
    }
    const short = await client.post('/api/setup', { token, ...ADMIN, password: 'elevenchars' });
    expect(short).toMatchObject({ status: 400, body: { error: { param: 'password' } } });
    expect(await validFor()).toBeCloseTo(3600, -2);
    await gateway.database.query('UPDATE setup SET token_expires_at = now()');
    expect(await client.post('/api/setup', { token, ...ADMIN })).toMatchObject(REFUSED);
    expect(await users()).toEqual([]);
  });

  it('has one valid link over all replicas: the last one that a terminal shows', async () => {
    const [old, token] = [await issue(), await issue()];
    expect(await ConsoleClient.of(gateway).post('/api/setup', { token: old, ...ADMIN })).toMatchObject(REFUSED);
    const setup = gateway.services.get(SetupService);
    expect(await setup.renewToken('')).toBeNull();
    expect(await setup.renewToken(old)).toBeNull();
    const renewed = await setup.renewToken(token);
    expect(renewed).toMatch(/^[\w-]{43}$/);
    await gateway.database.query('UPDATE setup SET token_expires_at = now()');
    const replicas = await Promise.all(['', '', ''].map((none) => setup.renewToken(none)));
    expect(replicas.filter((made) => made !== null)).toHaveLength(1);
  });

  it('is created once by concurrent requests, and is signed in', async () => {
    const token = await issue();
    const clients = [0, 1, 2].map(() => ConsoleClient.of(gateway));
    const replies = await Promise.all(
      clients.map((client, i) =>
        client.post('/api/setup', { ...ADMIN, token, email: i === 0 ? ADMIN.email : `other-${i}@example.com` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const winner = replies.findIndex(({ status }) => status === 200);
    expect(replies[winner]?.body).toMatchObject({
      user: { name: 'Ada', role: 'admin' },
      signIn: { setupNeeded: false },
    });
    expect((await clients[winner]?.get('/api/users'))?.status).toBe(200);
    expect(await users()).toMatchObject([{ role: 'admin', hasPassword: true }]);
  });

  it('invalidates all tokens, and is recorded in the audit log', async () => {
    expect(await gateway.services.get(SetupService).issueToken()).toBeNull();
    expect(await gateway.database.query('SELECT token_hash FROM setup')).toEqual([{ token_hash: null }]);
    const [entry] = await gateway.database.query("SELECT * FROM audit_log WHERE action = 'setup.complete'");
    expect(entry).toMatchObject({ actor_kind: 'user', address: '127.0.0.1', after: { name: 'Ada', role: 'admin' } });
    expect(JSON.stringify(entry)).not.toContain(ADMIN.password);
  });

  it('is never requested again, even if no administrator remains', async () => {
    await gateway.database.query("UPDATE users SET disabled_at = now() WHERE role = 'admin'");
    expect((await ConsoleClient.of(gateway).get('/api/setup')).body).toEqual({ needed: false });
    expect(await gateway.services.get(SetupService).issueToken()).toBeNull();
    expect(await gateway.services.get(SetupService).renewToken('')).toBeNull();
  });

  it('can be an existing user, who gets a new password and loses earlier sessions', async () => {
    const users = gateway.services.get(UsersService);
    await reopen();
    const before = await ConsoleClient.as(gateway, 'member');
    const { email } = before.user;
    const robot = await users.create({ email: 'robot@example.com', kind: 'service' }, COMMAND_LINE);
    const client = ConsoleClient.of(gateway);
    const token = await issue();
    const taken = await client.post('/api/setup', { ...ADMIN, token, email: robot.email });
    expect(taken).toMatchObject({ status: 400, body: { error: { param: 'email' } } });
    const made = await client.post('/api/setup', { token, email, name: 'Grace', password: 'another long password' });
    expect(made).toMatchObject({ status: 200, body: { user: { email, name: 'Grace', role: 'admin' } } });
    expect((await before.get('/api/account')).status).toBe(401);
    expect((await before.post('/api/session', { email, password: 'another long password' })).status).toBe(200);
  });

  it('cannot be guessed: a hundred attempts per hour from one address', async () => {
    await reopen();
    const token = await issue();
    const client = ConsoleClient.of(gateway);
    expect(await client.post('/api/setup', { token: 'x', ...ADMIN })).toMatchObject(REFUSED);
    await gateway.database.query("UPDATE sign_in_limits SET points = 100 WHERE key LIKE 'client:%'");
    const { status, headers } = await client.post('/api/setup', { token, ...ADMIN });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

describe('the first administrator of ADMIN_EMAIL and ADMIN_PASSWORD_FILE', () => {
  const env = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const signIn = (replica: TestGateway, password: string) =>
    ConsoleClient.of(replica).post('/api/session', { email: ADMIN.email, password });
  let database: TestDatabase;
  let replicas: TestGateway[] = [];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    replicas = await Promise.all([0, 1].map(() => TestGateway.start({ env, database })));
  });

  it('exists when the gateway is ready, created by one of the replicas', async () => {
    for (const replica of replicas) {
      expect((await ConsoleClient.of(replica).get('/api/setup')).body).toEqual({ needed: false });
      expect(await signIn(replica, ADMIN.password)).toMatchObject({ status: 200, body: { user: { role: 'admin' } } });
    }
    const sql = "SELECT actor_kind, after FROM audit_log WHERE action = 'setup.complete'";
    const entries = await database.query(sql);
    expect(entries).toEqual([{ actor_kind: 'gateway', after: expect.objectContaining({ role: 'admin' }) }]);
    expect(JSON.stringify(entries)).not.toContain(ADMIN.password);
  });

  it('keeps a changed password at later starts', async () => {
    const users = replicas[0]?.services.get(UsersService);
    const { id = '' } = (await users?.getByEmail(ADMIN.email)) ?? {};
    await users?.setPassword(id, 'another long password', COMMAND_LINE);
    const later = await TestGateway.start({ env, database });
    replicas.push(later);
    expect((await signIn(later, ADMIN.password)).status).toBe(401);
    expect((await signIn(later, 'another long password')).status).toBe(200);
  });
});
