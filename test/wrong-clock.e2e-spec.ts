import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { OidcFlowsService } from '../src/accounts/oidc-flows.service.js';
import { PasswordLinksService } from '../src/accounts/password-links.service.js';
import { SessionsService } from '../src/accounts/sessions.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { loadSettings, SETTINGS } from '../src/config/settings.js';
import { SettingsModule } from '../src/config/settings.module.js';
import { ConsoleUsersService } from '../src/console/users/users.controller.js';
import { ClockService } from '../src/database/clock.service.js';
import { DatabaseModule } from '../src/database/database.module.js';
import { DatabaseService } from '../src/database/database.service.js';
import { PROVIDERS } from '../src/upstreams/providers/providers.js';
import { UsageRetentionService } from '../src/usage/usage-retention.service.js';
import { UsageTotalsService } from '../src/usage/usage-totals.service.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';
import { createWorkFolder } from './support/test-settings.js';

const DAY_MS = 86_400_000;
const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 };
/** All but the date stays real. */
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

describe.each([500, -500])('a gateway whose clock is wrong by %s days', (days) => {
  let database: TestDatabase;
  let gateway: TestGateway;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    jest.useFakeTimers({ now: Date.now() + days * DAY_MS, doNotFake: [...REAL], advanceTimers: true });
    gateway = await TestGateway.start({ database, env: { SIMULATOR: 'on' } });
  });
  afterAll(async () => {
    await gateway?.stop();
    jest.useRealTimers();
  });

  const partitions = async () => {
    const rows = await database.query<{ name: string }>(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  };
  const now = async () => {
    const [row] = await database.query<{ now: Date }>('SELECT now()');
    return row?.now.getTime() ?? 0;
  };

  it('reports it', () => {
    const lines = gateway.log.filter(({ msg }) => String(msg).startsWith("This machine's clock is "));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, msg: expect.stringContaining(days > 0 ? 'ahead of' : 'behind') });
  });

  it("uses the database's clock for keys, calls, partitions and sums", async () => {
    const expiresAt = new Date((await now()) + DAY_MS);
    const user = await gateway.createUser();
    await database.query('UPDATE api_keys SET expires_at = $1 WHERE id = $2', [expiresAt, user.key.id]);
    const response = await gateway.complete(user, HELLO);
    expect(response.status).toBe(200);
    await response.text();
    const [row] = await gateway.calls();
    expect(Math.abs(Number(row?.started_at) - (await now()))).toBeLessThan(60_000);
    const month = (ms: number) => `usage_calls_${new Date(ms).toISOString().slice(0, 7).replace('-', '_')}`;
    expect(await partitions()).toContain(month(await now()));
    expect(await partitions()).toHaveLength(4);
    const since = new Date((await now()) - DAY_MS);
    expect(await gateway.services.get(UsageTotalsService).callsOfKey(user.key.id, since)).toBe(1);
    await database.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1", [user.key.id]);
    await database.query("SELECT pg_notify('caller_changed', 'all')");
    while ((await gateway.complete(user, HELLO)).status === 200);
    expect((await gateway.complete(user, HELLO)).status).toBe(401);
  });

  it('keeps valid sessions, and ends expired ones', async () => {
    const { email } = await gateway.createPerson();
    const sessions = gateway.services.get(SessionsService);
    const user = await gateway.services.get(UsersService).getByEmail(email);
    const { token } = await sessions.open(user, 'password', { address: '127.0.0.1', userAgent: null, requestId: 'r' });
    expect(await sessions.find(token)).not.toBeNull();
    await database.query("UPDATE sessions SET expires_at = now() - interval '1 s'");
    expect(await sessions.find(token)).toBeNull();
  });

  it("expires links and pending sign-ins by the database's clock", async () => {
    const person = await gateway.createPerson();
    const links = gateway.services.get(PasswordLinksService);
    const origin = { address: '127.0.0.1', userAgent: null, requestId: 'r' };
    const { token, expiresAt } = await links.create(person.id, GATEWAY);
    expect(Math.abs(expiresAt.getTime() - DAY_MS - (await now()))).toBeLessThan(60_000);
    expect(await links.check(token, origin)).toMatchObject({ id: person.id });
    await database.query("UPDATE one_time_links SET expires_at = now() - interval '1 s'");
    await expect(links.check(token, origin)).rejects.toThrow();

    const flows = gateway.services.get(OidcFlowsService);
    const [first, second] = [await flows.begin('mine', '/', null), await flows.begin('mine', '/', null)];
    expect(await flows.take(first.state, 'mine')).toMatchObject({ nonce: first.nonce });
    await database.query("UPDATE oidc_sign_ins SET expires_at = now() - interval '1 s'");
    await expect(flows.take(second.state, 'mine')).rejects.toThrow();
  });

  it("shows the current month, and a key's end, by the database's calendar", async () => {
    const { id } = await gateway.createPerson();
    const keys = gateway.services.get(ApiKeysService);
    const made = { userId: id, name: 'k', expiresAt: new Date((await now()) + DAY_MS) };
    const { id: keyId, status } = await keys.create(made, GATEWAY);
    expect(status).toBe('active');
    const [row] = await database.query<{ id: string; calls: number }>(
      'SELECT user_id AS id, count(*)::int AS calls FROM usage_calls GROUP BY 1',
    );
    const user = await gateway.services.get(UsersService).find(String(row?.id));
    if (!user) throw new Error('no user');
    const { spentThisMonth } = await gateway.services.get(ConsoleUsersService).view(user);
    expect(spentThisMonth.calls).toBe(row?.calls);
    expect(await keys.rotate({ id: keyId }, 'none', GATEWAY)).toMatchObject({ status: 'active' });
  });

  it('is not trusted by the command line either', async () => {
    const folder = await createWorkFolder();
    const settings = loadSettings({ ...folder.variables, DATABASE_URL: database.url }, PROVIDERS, folder.path);
    const tool = await Test.createTestingModule({
      imports: [SettingsModule.forProtocols(PROVIDERS), DatabaseModule.for('tool')],
    })
      .overrideProvider(SETTINGS)
      .useValue(settings)
      .compile();
    tool.useLogger(false);
    await tool.get(DatabaseService).start();
    expect(Math.abs(tool.get(ClockService).now() - (await now()))).toBeLessThan(60_000);
    await tool.close();
    await folder.remove();
  });

  it('deletes nothing', async () => {
    await database.query(
      "CREATE TABLE usage_calls_2020_01 PARTITION OF usage_calls FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')",
    );
    const before = await partitions();
    await gateway.services.get(UsageRetentionService).enforce(gateway.services.get(ClockService).date());
    expect(await partitions()).toEqual(before);
  });
});
