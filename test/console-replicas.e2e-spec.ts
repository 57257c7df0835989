import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const database = await createMigratedDatabase();
const proxy = await DatabaseProxy.create(database.url);
await proxy.open();
const one = await TestGateway.start({ database });
const other = await TestGateway.start({ database: { ...database, url: proxy.url } });

/** The same browser at another gateway. */
function at(gateway: TestGateway, { cookies }: ConsoleClient): ConsoleClient {
  const client = ConsoleClient.of(gateway);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return client;
}

describe('two gateways on one database', () => {
  it('have the same sessions: signed in at one is signed in at the other, and so is signed out', async () => {
    const here = await ConsoleClient.as(one, 'member');
    const there = at(other, here);
    expect((await there.get('/api/account')).body).toMatchObject({ email: here.user.email });
    expect((await there.delete('/api/session')).status).toBe(204);
    expect((await here.get('/api/account')).status).toBe(401);
  });

  it('both refuse a disabled user: sessions immediately, keys within a second', async () => {
    const admin = await ConsoleClient.as(one, 'admin');
    const here = await ConsoleClient.as(one, 'member');
    const there = at(other, here);
    const { key } = (await here.post('/api/keys', { name: 'laptop' })).body;
    const headers = { authorization: `Bearer ${key}` };
    const statuses = () =>
      Promise.all([one, other].map(async (gateway) => (await gateway.get('/v1/models', headers)).status));
    expect(await statuses()).toEqual([200, 200]);
    expect((await admin.patch(`/api/users/${here.user.id}`, { disabled: true })).status).toBe(200);
    expect((await here.get('/api/account')).status).toBe(401);
    expect((await there.get('/api/account')).status).toBe(401);
    await eventually(async () => (await statuses()).join() === '403,403', 1000);
  });
});

describe('while the database is unavailable', () => {
  it('the console reports it on every route, and continues with the same session afterwards', async () => {
    const client = await ConsoleClient.signIn(other, await one.createPerson({ role: 'admin' }));
    await proxy.close();
    const away = { status: 503, body: { error: { code: 'service_unavailable', type: 'server_error', param: null } } };
    const guest = ConsoleClient.of(other);
    for (const ask of [
      () => client.get('/api/account'),
      () => client.get('/api/keys'),
      () => client.post('/api/keys', { name: 'x' }),
      () => guest.get('/api/session'),
      () => guest.get('/api/setup'),
      () => guest.post('/api/session', { email: client.user.email, password: client.user.password }),
    ]) {
      const reply = await ask();
      expect(reply).toMatchObject(away);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.headers.get('cache-control')).toContain('no-store');
    }
    await proxy.open();
    await eventually(async () => (await client.get('/api/account')).status === 200);
  });
});
