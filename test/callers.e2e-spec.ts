import { Agent, get, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { newApiKey } from '../src/auth/api-key.secret.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

let database: TestDatabase;
let session: DatabaseProxy;
let gateway: TestGateway;
const queries: string[] = [];
/** Periodic work of the gateway: last uses, rejections, roll-ups, open calls of others, partitions, sums of balances. */
const BY_THE_CLOCK =
  /last_used_at =|refused_calls|recent_errors|usage_|base_wanted|advisory|^\s*(START|SET|COMMIT|ROLLBACK)\b/;

beforeAll(async () => {
  database = await createMigratedDatabase();
  session = await DatabaseProxy.create(database.url);
  await session.open();
  gateway = await TestGateway.start({ env: { SIMULATOR: 'on', DATABASE_DIRECT_URL: session.url }, database });
  const dataSource = gateway.services.get<DataSource>(getDataSourceToken());
  dataSource.logger.logQuery = (query) => {
    if (!BY_THE_CLOCK.test(query)) queries.push(query);
  };
});

const list = ({ headers }: TestUser) => gateway.get('/v1/models', headers);
const complete = (user: TestUser) =>
  gateway.complete(user, { model: 'nova-2-lite', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 });

/** The gateway's queries while `work` runs, without periodic ones. */
async function queriesDuring(work: () => Promise<unknown>): Promise<string[]> {
  queries.length = 0;
  await work();
  return [...queries];
}

/**
 * Waits until `work` needs no query: notifications of recent changes may still arrive, and after a moment without CPU
 * time the gateway correctly queries again. The limit allows for a busy machine.
 */
async function becomesWarm(work: () => Promise<unknown>): Promise<void> {
  await eventually(async () => (await queriesDuring(work)).length === 0);
}

/** Revokes a key as another process would, possibly without this gateway being notified. */
async function revoke({ key }: TestUser): Promise<void> {
  await database.query(
    `WITH revoked AS (UPDATE api_keys SET revoked_at = now() WHERE id = $1 RETURNING id)
     SELECT pg_notify('caller_changed', 'key:' || id) FROM revoked`,
    [key.id],
  );
}

/** ms for which a user's key still works, not counting pauses of this process. */
async function msUntilRefused(user: TestUser): Promise<number> {
  const from = performance.now();
  const lost = new LostTime();
  await eventually(async () => (await list(user)).status === 401);
  return performance.now() - from - lost.stop();
}

describe('a caller', () => {
  it('is checked on each request of a kept connection, regardless of earlier callers', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    const status = (headers: OutgoingHttpHeaders) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = get(`${gateway.url}/v1/models`, { agent, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('socket', (socket) => sockets.add(socket)).on('error', reject);
      });
    const { authorization } = (await gateway.createUser()).headers;
    const other = await gateway.createUser();
    try {
      for (const [headers, expected] of [
        [{ authorization }, 200],
        [{ authorization }, 200],
        [{ authorization: `Bearer ${newApiKey()}` }, 401],
        [{ authorization: other.headers.authorization }, 200],
        [{ authorization, 'x-api-key': newApiKey() }, 401],
        [{ authorization: [authorization, authorization] }, 401],
        [{}, 401],
        [{ authorization }, 200],
      ] as const) {
        expect([headers, await status(headers as OutgoingHttpHeaders)]).toEqual([headers, expected]);
      }
      await revoke(other);
      await eventually(async () => (await status(other.headers)) === 401);
      expect(await status({ authorization })).toBe(200);
      expect(sockets.size).toBe(1);
    } finally {
      agent.destroy();
    }
  });

  it('is cached after the first query, for calls and lists', async () => {
    const user = await gateway.createUser({ plan: 'pro', addresses: ['127.0.0.1'], models: ['nova-2-lite'] });
    expect((await queriesDuring(() => list(user))).length).toBeGreaterThan(0);
    await complete(user);
    await becomesWarm(async () => {
      for (let i = 0; i < 50; i++) expect((await list(user)).status).toBe(200);
      const calls = await Promise.all(Array.from({ length: 20 }, () => complete(user)));
      expect(calls.map(({ status }) => status)).toEqual(Array(20).fill(200));
    });
  });

  it('is queried once for a hundred concurrent requests', async () => {
    // Repeat if the notification of the caller's creation comes in between.
    await eventually(async () => {
      const user = await gateway.createUser();
      const one = await gateway.createUser();
      const needed = (await queriesDuring(() => list(one))).length;
      const many = await queriesDuring(() => Promise.all(Array.from({ length: 100 }, () => list(user))));
      return many.length === needed;
    });
  });

  it('stays cached when another one changes', async () => {
    const user = await gateway.createUser();
    await eventually(async () => {
      const other = await gateway.createUser();
      await list(user);
      await list(other);
      await revoke(other);
      await msUntilRefused(other);
      return (await queriesDuring(() => list(user))).length === 0;
    });
  });

  it('a caller with a mistyped key is rejected without a query', async () => {
    // A different one each time, as unknown keys are cached.
    await becomesWarm(async () => {
      const key = newApiKey();
      const mistyped = [
        `${key.slice(0, -1)}_`,
        key.slice(0, 9),
        `sk-${key.slice(4)}`,
        key.slice(0, -6).padEnd(42, '0'),
      ];
      for (const wrong of mistyped) {
        const reply = await gateway.get('/v1/models', { authorization: `Bearer ${wrong}` });
        await expectError(reply, { status: 401, code: 'invalid_api_key' });
      }
    });
  });

  it('a caller that does not exist costs at most one query a second', async () => {
    const authorization = `Bearer ${newApiKey()}`;
    const beganAt = performance.now();
    const requested = await queriesDuring(async () => {
      for (let i = 0; i < 50; i++) expect((await gateway.get('/v1/models', { authorization })).status).toBe(401);
    });
    const seconds = Math.ceil((performance.now() - beganAt) / 1000);
    expect(requested.slice(seconds + 1)).toEqual([]);
  });
});

describe('a revoked key is rejected within a second', () => {
  it('a revoked key is rejected within a second when the session for notifications is ended at that moment', async () => {
    const user = await gateway.createUser();
    await list(user);
    const [ended] = await Promise.all([
      database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'chat-completion-gateway session' AND datname = current_database()`,
      ),
      revoke(user),
    ]);
    expect(ended).toHaveLength(1);
    expect(await msUntilRefused(user)).toBeLessThan(1000);
  });

  it('a revoked key is rejected within a second while that session cannot be reopened', async () => {
    const user = await gateway.createUser();
    await session.close();
    expect((await list(user)).status).toBe(200);
    await revoke(user);
    expect(await msUntilRefused(user)).toBeLessThan(1100);
    await session.open();
  });

  it('a revoked key is rejected within a second while other keys keep working', async () => {
    const user = await gateway.createUser();
    await list(user);
    await session.close();
    const until = performance.now() + 1500;
    while (performance.now() < until) expect((await list(user)).status).toBe(200);
    await session.open();
    await becomesWarm(() => list(user));
  });

  it('a revoked key is rejected within a second when a session that no longer receives anything is known to be lost', async () => {
    const user = await gateway.createUser();
    await becomesWarm(() => list(user));
    session.silence();
    await revoke(user);
    const ms = await msUntilRefused(user);
    await session.close();
    await session.open();
    expect(ms).toBeLessThan(1250);
  });
});

describe('hundreds of unknown keys', () => {
  let small: TestGateway;
  const requested: string[] = [];
  beforeAll(async () => {
    const settings = 'auth: { cacheSize: 100 }\nserver: { trustProxy: [127.0.0.0/8] }';
    small = await TestGateway.start({ env: { SIMULATOR: 'on' }, config: { 'gateway.yaml': settings } });
    small.services.get<DataSource>(getDataSourceToken()).logger.logQuery = (query) => {
      if (query.includes('FROM api_keys')) requested.push(query);
    };
  });

  const guess = (address: string, authorization = `Bearer ${newApiKey()}`) =>
    small.get('/v1/models', { authorization, 'x-forwarded-for': address });
  const limited = { status: 429, type: 'requests', code: 'rate_limit_exceeded' };

  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['an IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ])('make %s wait, and evict no caller', async (_what, address, same, elsewhere) => {
    const [known, stranger] = [await small.createUser(), await small.createUser()];
    const ask = (user: TestUser, from: string) => guess(from, user.headers.authorization);
    expect((await ask(known, same)).status).toBe(200);
    const statuses = new Set<number>();
    for (let i = 0; i < 100; i++) statuses.add((await guess(address)).status);
    expect(statuses).toEqual(new Set([401]));
    requested.length = 0;
    const { headers } = await expectError(await guess(same), limited);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    await expectError(await ask(stranger, same), limited);
    expect(requested).toEqual([]);
    expect((await ask(known, same)).status).toBe(200);
    await eventually(async () => {
      requested.length = 0;
      return (await ask(known, same)).status === 200 && requested.length === 0;
    });
    expect((await ask(stranger, elsewhere)).status).toBe(200);
    expect((await ask(stranger, same)).status).toBe(200);
  });
});
