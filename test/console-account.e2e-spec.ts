import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

const NEXT = 'another long password';

const gateway = await TestGateway.start();

const signInAgain = ({ user }: ConsoleClient) => ConsoleClient.signIn(gateway, user);
const status = async (client: ConsoleClient) => (await client.get('/api/account')).status;
const actionsOn = async (id: string) =>
  (await gateway.database.query('SELECT action FROM audit_log WHERE actor_id = $1 ORDER BY id', [id])).map(
    ({ action }) => action,
  );

describe('an account', () => {
  it('is shown and renamed by its owner', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    expect((await client.patch('/api/account', { name: ' Ada Lovelace ' })).body.name).toBe('Ada Lovelace');
    const { email, id } = client.user;
    const shown = { id, email, name: 'Ada Lovelace', role: 'member', source: 'local', hasPassword: true };
    expect((await client.get('/api/account')).body).toEqual({ ...shown, createdAt: expect.stringMatching(/Z$/) });
  });

  it.each([{ name: 'x'.repeat(101) }, { name: 'a\nb' }, { name: null }, {}])('is not renamed to %j', async (body) => {
    const reply = await (await ConsoleClient.as(gateway, 'member')).patch('/api/account', body);
    expect(reply).toMatchObject({ status: 400, body: { error: { param: 'name' } } });
  });

  it.each(['role', 'email', 'disabled'])('does not accept a %s from its owner', async (field) => {
    const client = await ConsoleClient.as(gateway, 'member');
    const reply = await client.patch('/api/account', { name: 'x', [field]: 'admin' });
    expect(reply).toMatchObject({ status: 400, body: { error: { param: field } } });
  });
});

describe('changing the password', () => {
  const change = (client: ConsoleClient, currentPassword: string, newPassword = NEXT) =>
    client.post('/api/account/password', { currentPassword, newPassword });

  it('ends all other sessions immediately and keeps this one; only the new password works', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const other = await signInAgain(client);
    expect((await change(client, client.user.password)).status).toBe(204);
    expect(await status(client)).toBe(200);
    expect(await status(other)).toBe(401);
    await expect(signInAgain(client)).rejects.toThrow('invalid_credentials');
    client.user.password = NEXT;
    expect(await status(await signInAgain(client))).toBe(200);
    expect(await actionsOn(client.user.id)).toContain('user.password');
  });

  it('needs the current password, which cannot be guessed from a session either', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    for (let i = 0; i < 10; i++) {
      const refused = { status: 400, body: { error: { param: 'currentPassword' } } };
      expect(await change(client, 'wrong')).toMatchObject(refused);
    }
    expect((await change(client, client.user.password)).status).toBe(429);
  });

  it('rejects a password that is too short', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const refused = { status: 400, body: { error: { param: 'newPassword' } } };
    expect(await change(client, client.user.password, 'elevenchars')).toMatchObject(refused);
  });

  it('is not possible for a user without a password', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    await gateway.database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [client.user.id]);
    const { status, body } = await change(client, client.user.password);
    expect({ status, message: body.error.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining('no password'),
    });
  });
});

describe('the sessions of an account', () => {
  it('are listed with their client and which one is current; nobody sees the sessions of others', async () => {
    await ConsoleClient.as(gateway, 'member');
    const client = await ConsoleClient.as(gateway, 'member');
    const phone = ConsoleClient.of(gateway);
    phone.headers['user-agent'] = 'A phone';
    await phone.post('/api/session', { email: client.user.email, password: client.user.password });
    const { body } = await client.get('/api/account/sessions');
    expect(body).toHaveLength(2);
    expect(body.find(({ current }: { current: boolean }) => current).userAgent).not.toBe('A phone');
    expect(body.find(({ current }: { current: boolean }) => !current)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      current: false,
      method: 'password',
      address: '127.0.0.1',
      userAgent: 'A phone',
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
  });

  it('can be ended one by one; the session of another user is not found', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const other = await signInAgain(client);
    const idOf = async (of: ConsoleClient) =>
      (await of.get('/api/account/sessions')).body.find(({ current }: { current: boolean }) => current).id;
    const id = await idOf(other);
    const foreign = await idOf(await ConsoleClient.as(gateway, 'member'));
    const replies = await Promise.all(
      [foreign, '00000000-0000-4000-8000-000000000000', 'nonsense'].map((one) =>
        client.delete(`/api/account/sessions/${one}`),
      ),
    );
    for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: replies[0]?.body });
    expect((await client.delete(`/api/account/sessions/${id}`)).status).toBe(204);
    expect([await status(client), await status(other)]).toEqual([200, 401]);
    expect((await client.delete(`/api/account/sessions/${await idOf(client)}`)).status).toBe(204);
    expect(client.cookies.size).toBe(0);
    expect(await actionsOn(client.user.id)).toEqual([
      'session.sign_in',
      'session.sign_in',
      'session.close',
      'session.close',
    ]);
  });

  it('can be ended everywhere, with or without the current one', async () => {
    const client = await ConsoleClient.as(gateway, 'member');
    const other = await signInAgain(client);
    expect(await client.delete('/api/account/sessions?keepCurrent=true')).toMatchObject({
      status: 200,
      body: { closed: 1 },
    });
    expect([await status(client), await status(other)]).toEqual([200, 401]);
    const third = await signInAgain(client);
    expect((await client.delete('/api/account/sessions')).body).toEqual({ closed: 2 });
    expect([await status(client), await status(third)]).toEqual([401, 401]);
    expect(await actionsOn(client.user.id)).toContain('session.close_all');
    const refused = await third.delete('/api/account/sessions?keepCurrent=perhaps');
    expect(refused.status).toBe(401);
  });
});
