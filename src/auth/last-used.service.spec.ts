import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { collectGarbage } from '../../test/support/live-bytes.js';
import { createMigratedDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UsersService } from '../accounts/users.service.js';
import { GATEWAY } from '../audit/audit.types.js';
import { RequestContext } from '../http/request-context.js';
import { ApiKeysService } from './api-keys.service.js';
import { AuthModule } from './auth.module.js';
import { LastUsedService } from './last-used.service.js';

const database = await createMigratedDatabase();
const services = await startServices(database.url, AccountsModule, AuthModule);
const lastUsed = services.get(LastUsedService);

async function newKey(): Promise<string> {
  const email = `user-${performance.now()}@example.com`;
  const { id: userId } = await services.get(UsersService).create({ email }, GATEWAY);
  return (await services.get(ApiKeysService).create({ userId, name: 'test' }, GATEWAY)).id;
}

function use(keyId: string, headers: Record<string, string> = {}, model?: string, keyDisplay = ''): RequestContext {
  const context = new RequestContext();
  context.requested.model = model ?? null;
  lastUsed.record({ keyId, keyDisplay }, '203.0.113.7', { headers, context });
  return context;
}

/** Stopping also writes what is otherwise written at intervals. */
const write = () => lastUsed.beforeApplicationShutdown();
const written = async (id: string) => (await services.get(ApiKeysService).get({ id })).lastUsed;

describe('the last use of a key', () => {
  it('records time, address, client and model', async () => {
    const id = await newKey();
    use(id, { 'user-agent': 'tool/1' }, 'nova-2-lite');
    expect(await written(id)).toBeNull();
    await write();
    const expected = { address: '203.0.113.7', userAgent: 'tool/1', model: 'nova-2-lite' };
    expect(await written(id)).toEqual({ at: expect.any(Date), ...expected });
  });

  it('is updated in place, so that no index changes', async () => {
    const first = await newKey();
    await database.query(
      `INSERT INTO api_keys (user_id, name, key_hash, display, last_used_at, last_used_agent)
       SELECT user_id, 'key ' || n, sha256(n::text::bytea), display, now() - interval '1 day', repeat('a', 100)
       FROM api_keys, generate_series(1, 5000) AS n WHERE id = $1`,
      [first],
    );
    const used = await database.query<{ id: string }>('SELECT id FROM api_keys ORDER BY hashtext(id::text) LIMIT 500');
    for (const { id } of used) use(id, { 'user-agent': 'a'.repeat(100) });
    const counts = async () => {
      const [row] = await database.query<{ all: number; hot: number }>(
        `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'api_keys'`,
      );
      return row ?? { all: 0, hot: 0 };
    };
    const before = await counts();
    await write();
    await eventually(async () => (await counts()).all - before.all >= 500);
    const { all, hot } = await counts();
    expect((hot - before.hot) / (all - before.all)).toBeGreaterThan(0.9);
  });

  it('does not keep the request in memory until it is written', async () => {
    const id = await newKey();
    const context = new WeakRef(use(id, {}, 'nova-2-lite'));
    // The target of a weak reference lives at least until the end of the turn.
    await sleep(1);
    collectGarbage();
    expect(context.deref()).toBeUndefined();
    await write();
    expect(await written(id)).toMatchObject({ model: 'nova-2-lite' });
  });

  it('gets the model of a request whose body arrived after the first write', async () => {
    const id = await newKey();
    const context = use(id);
    await write();
    expect(await written(id)).toMatchObject({ model: null });
    context.requested.model = 'nova-2-lite';
    await write();
    expect(await written(id)).toMatchObject({ model: 'nova-2-lite' });
  });

  it('keeps the model through uses without one, such as listing models', async () => {
    const id = await newKey();
    use(id, {}, 'nova-2-lite');
    await write();
    use(id, { 'user-agent': 'browser' });
    await write();
    expect(await written(id)).toMatchObject({ userAgent: 'browser', model: 'nova-2-lite' });
  });

  it('is the latest one even if another gateway writes an earlier one later', async () => {
    const id = await newKey();
    use(id, { 'user-agent': 'earlier' });
    await database.query(
      "UPDATE api_keys SET last_used_at = now() + interval '1 s', last_used_agent = 'later' WHERE id = $1",
      [id],
    );
    await write();
    expect(await written(id)).toMatchObject({ userAgent: 'later' });
  });

  it('is limited to 200 characters of the user agent, without keys', async () => {
    const id = await newKey();
    use(id, { 'user-agent': `svc_${'a'.repeat(40)} ${'x'.repeat(300)}` });
    await write();
    const { userAgent } = (await written(id)) ?? {};
    expect(userAgent).toMatch(/^svc_… x+$/);
    expect(userAgent).toHaveLength(200);
  });

  it('is kept for each secret of a rotated key', async () => {
    const keys = services.get(ApiKeysService);
    const id = await newKey();
    const { display: old } = await keys.get({ id });
    use(id, { 'user-agent': 'before' }, undefined, old);
    await write();
    const { display: present, previous } = await keys.rotate({ id }, '24h', GATEWAY);
    expect(previous?.lastUsed).toEqual({ at: expect.any(Date), address: '203.0.113.7', userAgent: 'before' });
    expect(await keys.get({ id })).toMatchObject({ secretUsedAt: null });
    use(id, { 'user-agent': 'forgotten' }, undefined, old);
    await sleep(2);
    use(id, { 'user-agent': 'deployed' }, 'nova-2-lite', present);
    await write();
    const key = await keys.get({ id });
    expect(key.lastUsed).toMatchObject({ userAgent: 'deployed', at: key.secretUsedAt });
    expect(key.previous?.lastUsed).toMatchObject({ userAgent: 'forgotten' });
    expect(key.previous?.lastUsed?.at.getTime()).toBeGreaterThan(previous?.lastUsed?.at.getTime() ?? Infinity);
    expect(key.previous?.lastUsed?.at.getTime()).toBeLessThan(key.secretUsedAt?.getTime() ?? 0);
    const again = await keys.rotate({ id }, '24h', GATEWAY);
    expect(again.previous?.lastUsed).toEqual({ at: key.secretUsedAt, address: '203.0.113.7', userAgent: 'deployed' });
  });
});
