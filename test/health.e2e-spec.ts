import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { SessionService } from '../src/database/session.service.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { schemaFaults } from './support/openai-schema.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 };

describe('a gateway whose database is not always available', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let gateway: TestGateway;
  let warm: TestUser;
  let cold: TestUser;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    gateway = await TestGateway.start({ database, env: { DATABASE_URL: proxy.url, SIMULATOR: 'on' } });
    warm = await gateway.createUser();
    cold = await gateway.createUser();
    await (await gateway.complete(warm, HELLO)).text();
  });

  const statusOf = async (path: string, headers = {}) => (await gateway.get(path, headers)).status;
  const expectUnavailable = async (response: Response) => {
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    const body = await response.json();
    expect(schemaFaults('error', body)).toEqual([]);
    expect(body).toMatchObject({ error: { type: 'server_error', code: 'service_unavailable', param: null } });
  };

  it('is live and ready, reveals nothing else, and prevents caching', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      await supertest(gateway.server).get(path).expect(200, { status: 'ok' }).expect('cache-control', 'no-store');
    }
  });

  it('is not ready while no connection for ordinary queries is available', async () => {
    const dataSource = gateway.services.get(DataSource);
    const runners = Array.from({ length: 10 }, () => dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    await eventually(async () => (await statusOf('/health/ready')) === 503);
    expect(await statusOf('/health/live')).toBe(200);
    await Promise.all(runners.map((runner) => runner.release()));
    await eventually(async () => (await statusOf('/health/ready')) === 200);
  });

  it('stays live, is not ready and returns 503 during an outage', async () => {
    await proxy.close();
    expect(await statusOf('/health/live')).toBe(200);
    await eventually(async () => (await statusOf('/health/ready')) === 503);
    await expectUnavailable(await gateway.get('/health/ready'));
    await expectUnavailable(await gateway.complete(warm, HELLO));
    await expectUnavailable(await gateway.complete(warm, { ...HELLO, stream: true }));
    await expectUnavailable(await gateway.complete(cold, HELLO));
    await expectUnavailable(await gateway.get('/v1/models', cold.headers));
  });

  it('logs the outage at most once a second, without a stack, regardless of the requests', async () => {
    const [before, beganAt] = [gateway.log.length, performance.now()];
    const requested = Array.from({ length: 100 }, () => [
      gateway.complete(warm, HELLO),
      gateway.complete(cold, HELLO),
      gateway.get('/v1/models', cold.headers),
    ]);
    await Promise.all(requested.flat().map(async (response) => expectUnavailable(await response)));
    const seconds = (performance.now() - beganAt) / 1000;
    const lines = gateway.log.slice(before).filter(({ level }) => Number(level) > 30);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter(({ msg }) => !String(msg).includes('the database is unavailable'))).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  it('serves known callers from memory for up to 15 s after the last notification', async () => {
    const silence = jest.spyOn(gateway.services.get(SessionService), 'silentMs', 'get').mockReturnValue(14_999);
    const until = performance.now() + 2500;
    while (performance.now() < until) expect(await statusOf('/v1/models', warm.headers)).toBe(200);
    silence.mockReturnValue(15_001);
    await eventually(async () => (await statusOf('/v1/models', warm.headers)) === 503);
    silence.mockRestore();
  });

  it('recovers when the database is back, and lets unknown callers wait for it briefly', async () => {
    const early = statusOf('/v1/models', cold.headers);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await proxy.open();
    expect(await early).toBe(200);
    await eventually(async () => (await statusOf('/health/ready')) === 200);
    for (const user of [warm, cold]) expect((await gateway.complete(user, HELLO)).status).toBe(200);
  });

  it('is not ready while the ledger cannot be written in time, even if the database responds', async () => {
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('BEGIN; LOCK TABLE usage_calls IN SHARE MODE');
    await eventually(async () => (await statusOf('/health/ready')) === 503);
    expect((await gateway.get('/v1/models', warm.headers)).status).toBe(200);
    await locker.end();
    await eventually(async () => (await statusOf('/health/ready')) === 200);
  });

  it('survives the loss of all connections without an error', async () => {
    proxy.cut();
    await eventually(async () => (await statusOf('/health/ready')) === 200);
    expect((await gateway.complete(warm, HELLO)).status).toBe(200);
  });

  it('opens no call twice and leaves none open', async () => {
    const rows = await gateway.calls();
    expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'settled'));
  });
});
