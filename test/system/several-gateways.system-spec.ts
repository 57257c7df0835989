import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.secret.js';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';
import { stream } from '../support/chat-answers.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess, type GatewayProcessOptions } from '../support/gateway-process.js';
import { hang } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { StreamReader } from '../support/stream-reader.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('gateways on one DATABASE_URL', () => {
  let database: TestDatabase;
  let gateways: GatewayProcess[];

  beforeEach(async () => {
    database = await createTestDatabase();
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await database.drop();
  });

  const start = async ({ env, ...options }: GatewayProcessOptions = {}) => {
    const gateway = await GatewayProcess.start({ ...options, env: { DATABASE_URL: database.url, ...env } });
    gateways.push(gateway);
    return gateway;
  };

  it('can all start together on an empty database', async () => {
    const both = await Promise.all([start(), start()]);
    expect(await database.query('SELECT name FROM migrations')).toHaveLength(MIGRATIONS.length);
    for (const gateway of both) expect((await fetch(`${gateway.url}/health/ready`)).status).toBe(200);
  });

  it('do not touch each other’s open calls, and close those of one that was killed', async () => {
    const upstream = await ScriptedUpstream.start();
    const env = { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' };
    const first = await start({ env });
    const key = await first.createKey();
    upstream.always(() => stream(['Hello', hang()]));
    const open = async (gateway: GatewayProcess) => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], stream: true }),
      });
      const reader = new StreamReader(response);
      const { id } = JSON.parse((await reader.next()) ?? '');
      return { id, reader };
    };
    const statusOf = async (id: string) => {
      const [row] = await database.query('SELECT status FROM usage_calls WHERE id = $1', [id]);
      return row?.status;
    };
    const lost = await open(first);
    const second = await start({ env });
    const stored = await open(second);
    expect([await statusOf(lost.id), await statusOf(stored.id)]).toEqual(['open', 'open']);

    await first.kill('SIGKILL');
    await eventually(async () => (await statusOf(lost.id)) === 'interrupted', 20_000);
    expect(await statusOf(stored.id)).toBe('open');
    await stored.reader.leave();
    await eventually(async () => (await statusOf(stored.id)) === 'aborted');
    await upstream.close();
  });

  it('do not start when a migration fails, and report the reason', async () => {
    await database.query('CREATE TABLE users (id int)');
    const gateway = await start({ eager: true });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.stderr).toBe(
      'The gateway cannot start: a migration of the database failed: relation "users" already exists\n',
    );
    expect(gateway.log.every(({ msg }) => typeof msg === 'string')).toBe(true);
  });

  it('listen before the database is available, report it, and become ready whenever it is available', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    const gateway = await start({
      eager: true,
      env: { DATABASE_URL: proxy.url, SIMULATOR: 'on' },
      config: { 'gateway.yaml': 'server: { listen: start }' },
    });
    await eventually(() => gateway.output.includes('Listening on'));
    const get = (path: string, key = newApiKey()) =>
      fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect((await get('/health/live')).status).toBe(200);
    for (const path of ['/health/ready', '/v1/models', '/v1/chat/completions']) {
      const response =
        path === '/v1/chat/completions'
          ? await fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${newApiKey()}` } })
          : await get(path);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    await eventually(() => gateway.log.some(({ msg }) => String(msg).startsWith('The database cannot be reached yet')));

    await proxy.open();
    await gateway.ready();
    const key = await gateway.createKey();
    expect((await get('/v1/models', key)).status).toBe(200);

    await proxy.close();
    await eventually(async () => (await get('/health/ready')).status === 503);
    await proxy.open();
    await gateway.ready();
    expect((await get('/v1/models', key)).status).toBe(200);
    await gateway.kill('SIGTERM');
    await proxy.close();
  });
});
