import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { completion } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { GatewayProcess, runCli } from './support/gateway-process.js';
import { PgBouncer, pgBouncerProgram } from './support/pgbouncer.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';
import { createWorkFolder } from './support/test-settings.js';

const CALL = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };
const USAGE = '/api/usage?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
const SETTINGS =
  "SELECT current_setting('statement_timeout') AS limit, current_setting('synchronous_commit') AS commit";

(pgBouncerProgram ? describe : describe.skip)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let upstream: ScriptedUpstream;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await PgBouncer.start(database.url);
    upstream = await ScriptedUpstream.start();
    upstream.always(() => completion());
    env = {
      ...{ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url },
      ...{ OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    };
  });

  describe('with DATABASE_DIRECT_URL', () => {
    let gateways: TestGateway[];
    beforeAll(async () => {
      gateways = [await TestGateway.start({ env, database }), await TestGateway.start({ env, database })];
    });

    it('many concurrent requests are answered, and each has its settled row', async () => {
      const user = await gateways[0]?.createUser();
      const calls = Array.from({ length: 100 }, () => gateways.map((gateway) => user && gateway.complete(user, CALL)));
      const replies = await Promise.all(calls.flat());
      expect(new Set(replies.map((reply) => reply?.status))).toEqual(new Set([200]));
      const rows = await database.query('SELECT status, count(*)::int AS calls FROM usage_calls GROUP BY 1');
      expect(rows).toEqual([{ status: 'settled', calls: 200 }]);
    });

    it('people sign in at all replicas concurrently, with wrong and right passwords', async () => {
      const [first] = gateways;
      if (!first) throw new Error('no gateway');
      const people = await Promise.all(Array.from({ length: 12 }, () => first.createPerson()));
      const statuses = await Promise.all(
        people.flatMap(({ email, password }, index) => {
          const gateway = gateways[index % 2] ?? first;
          const attempts = [password, 'a wrong password'].map((given) =>
            ConsoleClient.of(gateway).post('/api/session', { email, password: given }),
          );
          return attempts.map(async (reply) => (await reply).status);
        }),
      );
      expect(statuses).toEqual(people.flatMap(() => [200, 401]));
    });

    it('a revoked key is refused within a second by the other replica, and the lists and reports work', async () => {
      const [first, second] = gateways;
      if (!first || !second) throw new Error('no gateway');
      const admin = await ConsoleClient.as(first, 'admin');
      const user = await first.createUser();
      expect((await second.complete(user, CALL)).status).toBe(200);
      expect((await admin.delete(`/api/keys/${user.key.id}`)).status).toBe(200);
      await eventually(async () => (await second.complete(user, CALL)).status === 401, 1000);
      for (const path of ['/api/keys', '/api/users', USAGE, '/api/audit']) {
        expect({ path, status: (await admin.get(path)).status }).toEqual({ path, status: 200 });
      }
    });

    it('settings of one connection do not affect another', async () => {
      const settings = await Promise.all(
        Array.from({ length: 8 }, () => gateways[0]?.services.get(DataSource).query(SETTINGS)),
      );
      expect(new Set(settings.flat().map((row) => JSON.stringify(row)))).toEqual(
        new Set([JSON.stringify({ limit: '0', commit: 'on' })]),
      );
    });

    it('the command line works', async () => {
      const folder = await createWorkFolder();
      const { code, stdout, stderr } = await runCli(['user:list', '--json'], folder.path, {
        ...folder.variables,
        ...env,
      });
      await folder.remove();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout).length).toBeGreaterThan(0);
    });
  });

  it('does not start without DATABASE_DIRECT_URL, and names the missing setting', async () => {
    const gateway = await GatewayProcess.start({ env: { DATABASE_URL: pooler.url }, eager: true });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.stderr).toBe(
      'The gateway cannot start: the database is reached through a pooler in transaction mode, which keeps no session ' +
        'for LISTEN and locks: set DATABASE_DIRECT_URL to a direct connection\n',
    );
    await gateway.stop();
  });
});
