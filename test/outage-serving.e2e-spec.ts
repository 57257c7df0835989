import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { SessionService } from '../src/database/session.service.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { MetricsService } from '../src/telemetry/metrics.service.js';
import { answerTo } from './support/chat-answers.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { metricOf, readMetrics } from './support/metrics-text.js';
import { pause } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 };
/** Longer than a caller is cached while no change can be notified. */
const UNNOTIFIED_MS = 1500;
/** 11 tokens at 0.1 dollars a million, and 3 at 0.5. */
const COST = 2600;

describe('while the database is unavailable', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    proxy = await DatabaseProxy.create(database.url);
    await proxy.open();
    upstream = await ScriptedUpstream.start();
    upstream.always((request) => answerTo(request));
  });
  afterEach(async () => {
    // A gateway without its database stops late.
    await proxy.open();
    await gateway?.stop();
    await upstream.close();
    await proxy.close();
    await database.drop();
  });

  const start = async (whenDatabaseIsAway: string, env: Record<string, string> = {}) => {
    gateway = await TestGateway.start({
      database,
      config: { 'gateway.yaml': `${whenDatabaseIsAway}\nretry: { attempts: 1 }` },
      env: { DATABASE_URL: proxy.url, OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test', ...env },
    });
    user = await gateway.createUser();
    await ask();
  };
  const ask = async (fields: object = {}, by = user) => {
    const response = await gateway.complete(by, { ...HELLO, ...fields });
    return { status: response.status, text: await response.text() };
  };
  const ready = async () => {
    const response = await gateway.get('/health/ready');
    return { status: response.status, body: await response.json() };
  };
  const gauge = async () =>
    metricOf(
      readMetrics(await gateway.services.get(MetricsService).registry.metrics()),
      'gateway_serving_without_database',
    );
  const reported = (text: string) => gateway.log.filter(({ msg }) => String(msg).startsWith(text));
  const rows = async () => {
    const all = await gateway.calls();
    return all.map(({ status, cost_nanodollars: cost }) => `${status} ${cost}`);
  };
  const closedRows = (count: number) => eventually(async () => (await rows()).length === count && (await rows()));

  it('refuses new calls by default', async () => {
    await start('');
    await proxy.close();
    expect((await ask()).status).toBe(503);
    expect(await gauge()).toBe(0);
  });

  it('serves known callers if configured, and writes their calls afterwards', async () => {
    await start('whenDatabaseIsAway: { do: serve }');
    const stranger = await gateway.createUser();
    const disabled = await gateway.createUser();
    await gateway.services.get(ApiKeysService).update({ id: disabled.key.id }, { disabled: true }, GATEWAY);
    await gateway.services.get(UserLimitsService).set(user.id, { budgetMonthNanodollars: 1_000_000n }, GATEWAY);
    // Until the gateway was notified of both changes.
    await sleep(3000);
    expect((await ask({}, disabled)).status).toBe(401);
    expect((await ask()).status).toBe(200);
    expect([await ready(), await gauge()]).toEqual([{ status: 200, body: { status: 'ok' } }, 0]);

    await proxy.close();
    const answers = await Promise.all([ask(), ask({ stream: true }), ask({}, disabled), ask({}, stranger)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 503]);
    expect(answers[1].text).toMatch(/data: \[DONE\]\n\n$/);
    expect([await ready(), await gauge()]).toEqual([
      { status: 200, body: { status: 'ok', warning: expect.stringContaining('The database is unavailable.') } },
      1,
    ]);
    // Longer than known callers are served otherwise; what is known of them is read again.
    const silence = jest.spyOn(gateway.services.get(SessionService), 'silentMs', 'get').mockReturnValue(16_000);
    await sleep(UNNOTIFIED_MS);
    expect((await ask()).status).toBe(200);
    silence.mockRestore();
    expect(reported('The database is unavailable: calls of known callers')).toHaveLength(1);

    await proxy.open();
    expect(await closedRows(5)).toEqual(Array(5).fill(`settled ${COST}`));
    await eventually(async () => {
      const [balance] = await database.query('SELECT * FROM limit_balances WHERE id = $1', [user.id]);
      return (
        Number(balance?.spent_month) === 5 * COST && Number(balance?.reserved_month) === 0 && balance?.running === 0
      );
    });
    await eventually(() => reported('The database is back: 3 calls').length === 1);
    expect(await gauge()).toBe(0);
    expect((await ask()).status).toBe(200);
  });

  it('serves no longer than configured', async () => {
    await start('whenDatabaseIsAway: { do: serve, forAtMost: 5s }');
    await proxy.close();
    expect((await ask()).status).toBe(200);
    await sleep(5000);
    expect((await ask()).status).toBe(503);
    expect((await ready()).status).toBe(503);
    await eventually(() => reported('The database is still unavailable: new calls are refused').length === 1);
  });

  it('serves for no more money than configured, including the maximum cost of running calls', async () => {
    await start('whenDatabaseIsAway: { do: serve, upToUsd: 0.01 }');
    // At most: 20,000 tokens, some 0.01 dollars.
    const dear = { max_tokens: 17_500 };
    // The first call is still running when the others arrive.
    upstream.always((request) => [pause(1000), answerTo(request)].flat());
    await proxy.close();
    const answers = await Promise.all([ask(dear), ask(dear), ask(dear)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 503, 503]);
    expect((await ask(dear)).status).toBe(200);
    expect((await ask({ max_tokens: 20_000 })).status).toBe(503);
    expect(reported('The database is still unavailable: new calls are refused')).toHaveLength(1);
  });

  it('serves no one if there is no journal for their calls', async () => {
    await start('whenDatabaseIsAway: { do: serve }', { DATA_DIR: '/dev/null/data' });
    await proxy.close();
    expect((await ask()).status).toBe(503);
    expect(reported('There is no journal')[0]?.msg).toContain('no calls are served during an outage');
  });
});
