import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SessionService } from '../src/database/session.service.js';
import { AnswerLoad } from './support/answer-load.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { PgBouncer, pgBouncerProgram } from './support/pgbouncer.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const READY_AGAIN_MS = 5000;

async function startBehindProxies(isPooled: boolean) {
  const database = await createMigratedDatabase();
  const pooler = isPooled ? await PgBouncer.start(database.url) : null;
  const proxies = [await DatabaseProxy.create(pooler?.url ?? database.url), await DatabaseProxy.create(database.url)];
  for (const proxy of proxies) await proxy.open();
  const [urls, direct] = proxies.map(({ url }) => url);
  const gateway = await TestGateway.start({
    database,
    env: { DATABASE_URL: `${urls}`, ...(isPooled && { DATABASE_DIRECT_URL: `${direct}` }), SIMULATOR: 'on' },
  });
  return {
    gateway,
    proxies,
    stop: async () => {
      await gateway.stop();
      for (const proxy of proxies) await proxy.close();
      await pooler?.stop();
      await database.drop();
    },
  };
}

const isReady = async (gateway: TestGateway) => (await gateway.get('/health/ready')).status === 200;

/** Fills the pool, so that many connections fall silent. */
const fillPool = (gateway: TestGateway) =>
  Promise.all(Array.from({ length: 10 }, () => gateway.services.get(DataSource).query('SELECT pg_sleep(0.1)')));

describe.each([false, ...(pgBouncerProgram ? [true] : [])])('a gateway (with DATABASE_DIRECT_URL: %s)', (isPooled) => {
  it.each([
    ['idle', 0],
    ['under load', 24],
  ])(
    'a gateway that is %s is ready within 5 s after all its database connections fell silent',
    async (_, clients) => {
      const { gateway, proxies, stop } = await startBehindProxies(isPooled);
      try {
        const user = await gateway.createUser();
        const load = new AnswerLoad(gateway, user, clients);
        await fillPool(gateway);
        for (const proxy of proxies) proxy.forget();
        await sleep(READY_AGAIN_MS);
        expect(await isReady(gateway)).toBe(true);
        expect(gateway.services.get(SessionService).isUp).toBe(true);
        const before = performance.now();
        await fillPool(gateway);
        expect(performance.now() - before).toBeLessThan(1000);
        await load.stop();
        expect(
          (await gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] }))
            .status,
        ).toBe(200);
      } finally {
        await stop();
      }
    },
    30_000,
  );

  it('is ready within 5 s after a database that answered nobody for 8 s can be reached', async () => {
    const { gateway, proxies, stop } = await startBehindProxies(isPooled);
    try {
      const load = new AnswerLoad(gateway, await gateway.createUser());
      await fillPool(gateway);
      for (const proxy of proxies) proxy.forget();
      for (const proxy of proxies) proxy.vanish();
      await eventually(async () => !(await isReady(gateway)), 5000);
      await sleep(8000);
      for (const proxy of proxies) proxy.forget();
      for (const proxy of proxies) await proxy.open();
      await eventually(() => isReady(gateway), READY_AGAIN_MS);
      await load.stop();
    } finally {
      await stop();
    }
  }, 40_000);

  it('lets a statement run that is slow and not silent', async () => {
    const { gateway, stop } = await startBehindProxies(isPooled);
    try {
      expect(await gateway.services.get(DataSource).query('SELECT 7 AS seven FROM pg_sleep(6)')).toEqual([
        { seven: 7 },
      ]);
    } finally {
      await stop();
    }
  }, 20_000);
});
