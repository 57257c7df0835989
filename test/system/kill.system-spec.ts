import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo } from '../support/chat-answers.js';
import { ClientLoad } from '../support/client-load.js';
import { queryEmbedded } from '../support/embedded-query.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { processesOn } from '../support/processes.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';
import { createWorkFolder } from '../support/test-settings.js';

/** The embedded database recovers after each kill, too. */
const PLACES = [
  ['embedded database', 4],
  ['DATABASE_URL', 2],
] as const;

describe.each(PLACES)('a gateway that is killed under load (%s)', (where, rounds) => {
  let upstream: ScriptedUpstream;
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  let database: TestDatabase | undefined;
  let gateway: GatewayProcess;
  let key: string;

  const start = async () => {
    gateway = await GatewayProcess.start({
      folder,
      env: {
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        OPENAI_API_KEY: 'sk-test',
        ...(database && { DATABASE_URL: database.url }),
      },
    });
  };
  const query = (sql: string) =>
    (database ? database.query(sql) : queryEmbedded(join(folder.path, 'data'), sql)) as Promise<
      { id: string; status: string }[]
    >;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    upstream.always((request) => answerTo(request, Math.random() * 30));
    folder = await createWorkFolder();
    if (where === 'DATABASE_URL') database = await createMigratedDatabase();
    await start();
    key = await gateway.createKey();
  });
  afterAll(async () => {
    await database?.drop();
  });

  it('has a settled row for every call whose end a client saw, and no open row', async () => {
    const seen = new Set<string>();
    for (let round = 1; round <= rounds; round++) {
      const load = new ClientLoad(gateway.url, key);
      await eventually(() => load.seen.size > 40, 20_000);
      await new Promise((wait) => setTimeout(wait, Math.random() * 300));
      await gateway.kill('SIGKILL');
      await load.ended();
      for (const id of load.seen) seen.add(id);
      await start();
      const rows = await query('SELECT id, status FROM usage_calls');
      const statuses = new Map(rows.map(({ id, status }) => [id, status]));
      expect([...seen].filter((id) => statuses.get(id) !== 'settled')).toEqual([]);
      expect(rows.filter(({ status }) => status === 'open')).toEqual([]);
      expect(rows.length).toBeGreaterThanOrEqual(upstream.requests.length);
    }
    const rows = await query("SELECT id, status FROM usage_calls WHERE status <> 'settled'");
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['interrupted']));
    expect(seen.size).toBeGreaterThan(40 * rounds);
  }, 120_000);

  it('leaves no process behind', async () => {
    expect(processesOn(folder.path).length > 0).toBe(database === undefined);
    await gateway.kill('SIGKILL');
    await eventually(() => processesOn(folder.path).length === 0);
  });
});
