import { describe, expect, it } from '@jest/globals';
import { bearer, completeWith, createKey, modelsOf, statusOf } from './support/console-keys.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';

const DAY_MS = 86_400_000;

const { gateway, admin, alice, bob } = await startConsole();

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe('a change takes effect on /v1 within a second:', () => {
  it('disabling and enabling; a rename has no effect', async () => {
    const { id, key } = await createKey(alice);
    expect(await statusOf(gateway, key)).toBe(200);
    expect(await alice.patch(`/api/keys/${id}`, { disabled: true })).toMatchObject({ body: { status: 'disabled' } });
    await eventually(async () => (await statusOf(gateway, key)) === 401, 1000);
    expect(await alice.patch(`/api/keys/${id}`, { disabled: false })).toMatchObject({ body: { status: 'active' } });
    await eventually(async () => (await statusOf(gateway, key)) === 200, 1100);
  });

  it('other models and addresses', async () => {
    const { id, key } = await createKey(alice);
    expect((await modelsOf(gateway, key)).length).toBeGreaterThan(1);
    await alice.patch(`/api/keys/${id}`, { models: ['nova-2-lite'] });
    await eventually(async () => (await modelsOf(gateway, key)).join() === 'nova-2-lite', 1000);
    await alice.patch(`/api/keys/${id}`, { models: null, addresses: ['203.0.113.0/24'] });
    await eventually(async () => (await statusOf(gateway, key)) === 403, 1000);
  });

  it('an earlier expiry', async () => {
    const { id, key } = await createKey(alice);
    expect(await statusOf(gateway, key)).toBe(200);
    await alice.patch(`/api/keys/${id}`, { expiresAt: new Date(Date.now() + 1000).toISOString() });
    await eventually(async () => (await statusOf(gateway, key)) === 401, 2000);
    expect((await alice.get(`/api/keys/${id}`)).body.status).toBe('expired');
  });

  it('a revocation, permanently', async () => {
    const { id, key } = await createKey(alice);
    expect(await statusOf(gateway, key)).toBe(200);
    expect(await alice.delete(`/api/keys/${id}`)).toMatchObject({ status: 200, body: { status: 'revoked' } });
    await eventually(async () => (await statusOf(gateway, key)) === 401, 1000);
    expect(await alice.patch(`/api/keys/${id}`, { disabled: false })).toMatchObject({ status: 400 });
    expect((await alice.get(`/api/keys/${id}`)).body).toMatchObject({ status: 'revoked', name: 'laptop' });
  });
});

it('a request with a disabled key gets an error that names who can enable it', async () => {
  const { id, key, display } = await createKey(alice);
  const reported = async () => {
    const reply = (await (await gateway.get('/v1/models', bearer(key))).json()) as { error: { message: string } };
    return reply.error;
  };
  await alice.patch(`/api/keys/${id}`, { disabled: true });
  expect(await reported()).toMatchObject({
    code: 'invalid_api_key',
    message: `The API key (${display}) is disabled. Its owner or an administrator can enable it in the console.`,
  });
  await admin.patch(`/api/keys/${id}`, { disabled: true });
  await eventually(async () => (await reported()).message.includes('only an administrator can enable it'));
  await alice.delete(`/api/keys/${id}`);
  await eventually(async () => (await reported()).message.includes('revoked'));
});

describe('a rotation', () => {
  it('leaves the secret of earlier requests unchanged', async () => {
    const { id, key: old, display } = await createKey(alice);
    const [model = ''] = await modelsOf(gateway, old);
    expect((await completeWith(gateway, old, model)).status).toBe(200);
    const { body: rotated } = await alice.post(`/api/keys/${id}/rotate`, { overlap: '1h' });
    expect((await completeWith(gateway, rotated.key, model)).status).toBe(200);
    expect((await completeWith(gateway, old, model)).status).toBe(200);
    const { body } = await alice.get(`/api/usage/calls?from=${inDays(-1)}&to=${inDays(1)}&keys=${id}`);
    expect(body.items.map((call: { keyDisplay: string }) => call.keyDisplay)).toEqual([
      display,
      rotated.display,
      display,
    ]);
    expect((await completeWith(gateway, old, 'no-such-model')).status).toBe(404);
    const { body: again } = await alice.post(`/api/keys/${id}/rotate`, { overlap: '1h' });
    const refused = () => alice.get(`/api/usage/calls?from=${inDays(-1)}&to=${inDays(1)}&keys=${id}&statuses=refused`);
    await eventually(async () => (await refused()).body.items.length === 1);
    expect((await refused()).body.items[0].keyDisplay).toBe(display);
    // Calls from before displays were kept go by the key's present one.
    await gateway.database.query('UPDATE usage_calls SET key_display = NULL WHERE key_id = $1', [id]);
    const { body: now } = await alice.get(`/api/usage/calls/${body.items[0].id}`);
    expect(now.keyDisplay).toBe(again.display);
  });

  it('creates a new secret, and the old one works until the overlap ends', async () => {
    const { id, key: old, display } = await createKey(alice);
    expect(await statusOf(gateway, old)).toBe(200);
    const reply = await alice.post(`/api/keys/${id}/rotate`, { overlap: '1h' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toContain('no-store');
    expect(reply.body).toMatchObject({ id, previous: { display } });
    expect([await statusOf(gateway, old), await statusOf(gateway, reply.body.key)]).toEqual([200, 200]);
    // The hour is over: what a gateway has in memory ends by itself, so another instant needs another memory.
    await gateway.database.query("UPDATE api_keys SET previous_expires_at = now() + interval '400 ms' WHERE id = $1", [
      id,
    ]);
    await gateway.database.query("SELECT pg_notify('caller_changed', $1)", [`key:${id}`]);
    await eventually(async () => (await statusOf(gateway, old)) === 401);
    expect(await statusOf(gateway, reply.body.key)).toBe(200);
    expect((await alice.get(`/api/keys/${id}`)).body.previous).toBeNull();
  });

  it('a rotation without an overlap ends the old secret within a second', async () => {
    const { id, key: old } = await createKey(alice);
    expect(await statusOf(gateway, old)).toBe(200);
    const { body } = await alice.post(`/api/keys/${id}/rotate`, { overlap: 'none' });
    await eventually(async () => (await statusOf(gateway, old)) === 401, 1000);
    expect(await statusOf(gateway, body.key)).toBe(200);
  });

  it('can be ended immediately by the owner or an administrator; the audit log records it', async () => {
    const { id, key: old, display } = await createKey(alice);
    expect(await alice.post(`/api/keys/${id}/end-previous`, {})).toMatchObject({ status: 400 });
    const { body: rotated } = await alice.post(`/api/keys/${id}/rotate`, { overlap: '7d' });
    expect(await statusOf(gateway, old)).toBe(200);
    expect(await bob.post(`/api/keys/${id}/end-previous`, {})).toMatchObject({ status: 404 });
    expect(await statusOf(gateway, old)).toBe(200);
    expect(await alice.post(`/api/keys/${id}/end-previous`, {})).toMatchObject({
      status: 200,
      body: { previous: null },
    });
    await eventually(async () => (await statusOf(gateway, old)) === 401, 1000);
    expect(await statusOf(gateway, rotated.key)).toBe(200);
    const { body } = await admin.get('/api/audit?action=key.end_previous');
    expect(body.items).toMatchObject([{ target: { id }, before: { previousDisplay: display } }]);
    await alice.post(`/api/keys/${id}/rotate`, { overlap: '7d' });
    expect(await admin.post(`/api/keys/${id}/end-previous`, {})).toMatchObject({ status: 200 });
  });

  it('ends both secrets when the key is revoked', async () => {
    const { id, key: old } = await createKey(alice);
    const { body } = await alice.post(`/api/keys/${id}/rotate`, { overlap: '7d' });
    expect([await statusOf(gateway, old), await statusOf(gateway, body.key)]).toEqual([200, 200]);
    await alice.delete(`/api/keys/${id}`);
    await eventually(
      async () => (await statusOf(gateway, old)) === 401 && (await statusOf(gateway, body.key)) === 401,
      1000,
    );
  });

  it.each(['2h', null, undefined, 7])('rejects an overlap of %j', async (overlap) => {
    const { id } = await createKey(alice);
    const reply = await alice.post(`/api/keys/${id}/rotate`, { overlap });
    expect(reply).toMatchObject({ status: 400, body: { error: { param: 'overlap' } } });
  });
});
