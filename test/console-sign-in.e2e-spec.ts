import { describe, expect, it } from '@jest/globals';
import { UsersService } from '../src/accounts/users.service.js';
import { COMMAND_LINE, GATEWAY } from '../src/audit/audit.types.js';
import { ConsoleClient } from './support/console-client.js';
import { coreMsOf } from './support/core-time.js';
import { expectError } from './support/error-reply.js';
import { browserOf, signIn, WRONG } from './support/sign-in.js';
import { TestGateway } from './support/test-gateway.js';

const COOKIE = /^gateway_session=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax$/;

const browser = (address?: string) => browserOf(gateway, address);

function entries(action: string) {
  return gateway.database.query('SELECT * FROM audit_log WHERE action = $1 ORDER BY id DESC', [action]);
}

const gateway = await TestGateway.start({ config: { 'gateway.yaml': 'server: { trustProxy: [127.0.0.0/8] }' } });

describe('signing in', () => {
  it('returns who is signed in, and stores the token in a cookie that scripts cannot read', async () => {
    const { id, email, password } = await gateway.createPerson({ role: 'admin', name: 'Ada' });
    const client = ConsoleClient.of(gateway);
    const { status, body, headers } = await client.post('/api/session', { email: ` ${email.toUpperCase()}`, password });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        user: { id, email, name: 'Ada', role: 'admin' },
        plan: { id: 'free', name: 'Free', tiers: ['free'] },
        baseUrl: `${gateway.url}/v1`,
        listBaseUrl: `${gateway.url}/openai/v1`,
        signIn: { local: true, oidc: [], setupNeeded: false },
        keyPolicy: { maxLifetimeDays: null, defaultLifetimeDays: 90 },
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      },
    });
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(COOKIE)]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await client.get('/api/session')).body).toEqual(body);
  });

  it('sets a cookie for TLS and this host only, if the browser uses TLS', async () => {
    const person = await gateway.createPerson();
    const client = browser();
    client.headers['x-forwarded-proto'] = 'https';
    const { headers } = await client.post('/api/session', { email: person.email, password: person.password });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-gateway_session=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    expect((await client.get('/api/account')).body).toMatchObject({ email: person.email });
    delete client.headers['x-forwarded-proto'];
    expect((await client.get('/api/account')).status).toBe(401);
  });

  it('creates a new session and ends the previous one of the browser', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const old = new Map(client.cookies);
    await client.post('/api/session', { email: client.user.email, password: client.user.password });
    expect(client.cookies).not.toEqual(old);
    expect((await client.get('/api/account')).status).toBe(200);
    const thief = ConsoleClient.of(gateway);
    for (const [name, value] of old) thief.cookies.set(name, value);
    expect((await thief.get('/api/account')).status).toBe(401);
  });

  it('ends with signing out, even for a stored copy of the cookie', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const stored = new Map(client.cookies);
    expect((await client.delete('/api/session')).status).toBe(204);
    expect(client.cookies.size).toBe(0);
    for (const [name, value] of stored) client.cookies.set(name, value);
    expect((await client.get('/api/account')).status).toBe(401);
    expect((await client.delete('/api/session')).status).toBe(204);
    expect((await client.get('/api/session')).body).toMatchObject({ user: null, plan: null, version: null });
  });

  it('is recorded in the audit log with its address, like signing out', async () => {
    const person = await gateway.createPerson();
    const client = browser('203.0.113.77');
    await signIn(client, person);
    await client.delete('/api/session');
    const by = { actor_kind: 'user', actor_name: person.email, address: '203.0.113.77' };
    const request = { request_id: expect.stringMatching(/^req_/) };
    expect((await entries('session.sign_in'))[0]).toMatchObject({ ...by, ...request, after: { method: 'password' } });
    expect((await entries('session.sign_out'))[0]).toMatchObject({ ...by, ...request });
  });
});

describe('a session', () => {
  const age = (client: ConsoleClient, sql: string) =>
    gateway.database.query(`UPDATE sessions SET ${sql} WHERE user_id = $1`, [client.user.id]);

  it('ends after twelve hours without use, and is extended by use', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    await age(client, "last_seen_at = now() - interval '11 hours 59 minutes'");
    expect((await client.get('/api/account')).status).toBe(200);
    const [{ seen } = { seen: null }] = await gateway.database.query(
      "SELECT last_seen_at > now() - interval '1 minute' AS seen FROM sessions WHERE user_id = $1",
      [client.user.id],
    );
    expect(seen).toBe(true);
    await age(client, "last_seen_at = now() - interval '12 hours'");
    expect((await client.get('/api/account')).status).toBe(401);
  });

  it('ends after seven days even if it is used', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    await age(client, 'expires_at = now()');
    expect((await client.get('/api/account')).status).toBe(401);
  });

  it('is stored in the database only as a hash', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const [token = ''] = client.cookies.values();
    const [{ row } = { row: '' }] = await gateway.database.query(
      'SELECT (s.*)::text AS row FROM sessions s WHERE user_id = $1',
      [client.user.id],
    );
    expect(row).toContain(client.user.id);
    expect(row).not.toContain(Buffer.from(token).toString('hex'));
    expect(row).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  it('does not exist for another token', async () => {
    const client = ConsoleClient.of(gateway);
    for (const token of ['', 'x', 'a'.repeat(43), '%00', `${'a'.repeat(4000)}`]) {
      client.cookies.set('gateway_session', token);
      expect((await client.get('/api/account')).status).toBe(401);
    }
  });
});

describe('a wrong sign-in', () => {
  const right = 'correct horse battery';

  it.each<[string, () => Promise<{ email: string; password: string }>]>([
    ['the account is unknown', async () => ({ email: 'nobody@example.com', password: right })],
    ['it is no e-mail address', async () => ({ email: "' OR 1=1 --", password: right })],
    ['the password is wrong', async () => ({ ...(await gateway.createPerson()), password: `${right}!` })],
    ['the account has no password', async () => ({ email: (await gateway.createUser()).email, password: right })],
    [
      'the account is disabled',
      async () => {
        const person = await gateway.createPerson();
        await gateway.services.get(UsersService).setDisabled(person.email, true, COMMAND_LINE);
        return person;
      },
    ],
  ])('is answered the same when %s', async (_, person) => {
    expect(await signIn(browser(), await person())).toEqual({ ...WRONG, retryAfter: null });
  });

  it('takes the same time for known and unknown accounts', async () => {
    const { id, email, password } = await gateway.createPerson();
    await gateway.services.get(UsersService).setPassword(id, password, GATEWAY);
    // The least of each, of the cores: other work on the machine adds to some. An account takes a hundred guesses.
    const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const ratio = () => least.known / least.unknown;
    for (let i = 0; i < 8 || (i < 60 && Math.abs(Math.log(ratio())) > Math.log(1.25)); i++) {
      for (const kind of ['known', 'unknown'] as const) {
        const client = browser();
        const guess = { email: kind === 'known' ? email : `unknown-${i}@example.com`, password: 'wrong' };
        least[kind] = Math.min(least[kind], await coreMsOf(() => signIn(client, guess)));
      }
    }
    expect(ratio()).toBeGreaterThan(0.8);
    expect(ratio()).toBeLessThan(1.25);
  });

  it('is recorded in the audit log, without the typed name of an unknown account', async () => {
    const person = await gateway.createPerson();
    await signIn(browser('203.0.113.5'), { ...person, password: 'wrong' });
    const nobody = { actor_kind: 'nobody', actor_id: null, address: '203.0.113.5' };
    const [known] = await entries('session.sign_in_failed');
    expect(known).toMatchObject({ ...nobody, target_id: person.id, target_name: person.email });
    await signIn(browser('203.0.113.5'), { email: 'my-secret-password', password: 'x' });
    const [unknown] = await entries('session.sign_in_failed');
    expect(unknown).toMatchObject({ ...nobody, target_id: null, target_name: 'unknown account' });
    expect(JSON.stringify([unknown, gateway.log])).not.toContain('my-secret-password');
  });

  it.each([
    ['email', { email: '', password: right }],
    ['email', { email: 'a\u0000b', password: right }],
    ['email', { email: ['a'], password: right }],
    ['password', { email: 'a@b.c' }],
    ['password', { email: 'a@b.c', password: 'x'.repeat(1025) }],
    ['role', { email: 'a@b.c', password: right, role: 'admin' }],
  ])('names %s if the request is invalid', async (param, body) => {
    const reply = await browser().post('/api/session', body);
    expect(reply).toMatchObject({ status: 400, body: { error: { param, code: 'invalid_value' } } });
  });
});

describe('a gateway with single sign-on only', () => {
  it('refuses passwords, creates no password links and has no set-up', async () => {
    const strict = await TestGateway.start({ config: { 'gateway.yaml': 'signIn: { local: false }' } });
    const { email, password } = await strict.createPerson();
    const client = ConsoleClient.of(strict);
    const refused = { status: 403, body: { error: { code: 'local_sign_in_disabled' } } };
    expect(await client.post('/api/session', { email, password })).toMatchObject(refused);
    expect(await client.post('/api/password-links/check', { token: 'x' })).toMatchObject(refused);
    expect((await client.get('/api/setup')).body).toEqual({ needed: false });
    expect((await client.get('/api/session')).body.signIn).toMatchObject({ local: false, setupNeeded: false });
  });
});

it('a missing permission is reported in the error format', async () => {
  const reply = await fetch(`${gateway.url}/api/account`);
  await expectError(reply, { status: 401, type: 'permission_error', code: 'not_signed_in' });
});
