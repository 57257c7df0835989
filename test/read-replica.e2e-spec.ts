import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { ReplicatedPostgres } from './support/replicated-postgres.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const CALL = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };
const HOUR_MS = 3_600_000;

interface Report {
  replicaLagSeconds: number | null;
  upToDateAt: string;
  totals: { requests: number };
}

describe('DATABASE_READ_URL', () => {
  let servers: ReplicatedPostgres;
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let admin: ConsoleClient;
  let user: TestUser;
  let calls = 0;

  beforeAll(async () => {
    servers = await ReplicatedPostgres.start();
    upstream = await ScriptedUpstream.start();
    upstream.always(() => completion());
    const env = {
      DATABASE_READ_URL: servers.replicaUrl,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: 'sk-test',
    };
    gateway = await TestGateway.start({ env, database: servers.database });
    admin = await ConsoleClient.as(gateway, 'admin');
    user = await gateway.createUser();
  }, 60_000);

  const call = async () => {
    expect((await gateway.complete(user, CALL)).status).toBe(200);
    calls++;
  };
  const span = () =>
    `scope=all&from=${new Date(Date.now() - HOUR_MS).toISOString()}&to=${new Date(Date.now() + HOUR_MS).toISOString()}`;
  const report = async () => {
    const { status, body } = await admin.get(`/api/usage?${span()}`);
    expect(status).toBe(200);
    return body as Report;
  };
  const listed = async () => (await admin.get(`/api/usage/calls?${span()}`)).body.items.length;
  const lag = async () => {
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    const [, value] = /^gateway_replica_lag_seconds (.*)$/m.exec(text) ?? [];
    return value === undefined ? null : Number(value);
  };

  it('reads reports from the replica once it has caught up', async () => {
    await call();
    await eventually(async () => (await report()).totals.requests === calls);
    expect((await report()).replicaLagSeconds).toBeLessThanOrEqual(3);
    expect(await listed()).toBe(calls);
    expect(await lag()).toBeLessThanOrEqual(3);
  });

  it('reads from a lagging replica and shows its lag, without delaying calls, keys and single calls', async () => {
    await eventually(async () => (await report()).totals.requests === calls);
    await servers.pause();
    const before = calls;
    await call();
    await eventually(async () => ((await report()).replicaLagSeconds ?? 0) >= 3);
    const { totals, upToDateAt } = await report();
    expect(totals.requests).toBe(before);
    expect(await listed()).toBe(before);
    expect(Date.now() - Date.parse(upToDateAt)).toBeGreaterThan(2000);
    expect(await lag()).toBeGreaterThan(2);

    const reply = await gateway.complete(user, CALL);
    calls++;
    const { id } = (await reply.json()) as { id: string };
    expect((await admin.get(`/api/usage/calls/${id}?scope=all`)).status).toBe(200);
    const key = await admin.post('/api/keys', { name: 'new' });
    expect(key.status).toBe(201);
    expect((await admin.get(`/api/keys/${key.body.id}`)).body.name).toBe('new');
    await servers.resume();
    await eventually(async () => (await report()).totals.requests === calls);
  });

  it('reads from the primary while the replica is unavailable, and logs it', async () => {
    await servers.replica.stop();
    await call();
    const { totals } = await report();
    expect(totals.requests).toBe(calls);
    await eventually(async () => (await report()).replicaLagSeconds === null);
    await eventually(async () => Number.isNaN(await lag()));
    expect(gateway.log.some(({ msg }) => /replica cannot be read/.test(String(msg)))).toBe(true);
  });
});
