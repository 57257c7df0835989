import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ShutdownService } from '../src/lifecycle/shutdown.service.js';
import { AnswerLoad } from './support/answer-load.js';
import { answerTo, completion } from './support/chat-answers.js';
import { DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { OwnPostgres } from './support/own-postgres.js';
import { gate } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

describe('calls during a short outage of the database', () => {
  let server: OwnPostgres;
  let proxy: DatabaseProxy;
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;

  beforeAll(async () => {
    server = await OwnPostgres.start();
    proxy = await DatabaseProxy.create(server.url);
    await proxy.open();
    upstream = await ScriptedUpstream.start();
    upstream.always((request) => answerTo(request, Math.random() * 200));
    gateway = await TestGateway.start({
      database: server,
      env: { DATABASE_URL: proxy.url, OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    });
    user = await gateway.createUser();
  });
  beforeEach(() => {
    upstream.requests.length = 0;
  });

  const outages: [string, () => Promise<void>][] = [
    ['Postgres is restarted', () => server.restart()],
    ['Postgres crashes', () => server.crash()],
    ['all connections are cut', async () => proxy.cut()],
    [
      'nothing answers at its address for three seconds',
      async () => {
        await proxy.close();
        await sleep(3000);
        await proxy.open();
      },
    ],
  ];

  it.each(outages)('lose no paid answer and duplicate nothing when %s', async (_, outage) => {
    const before = new Set((await gateway.calls()).map(({ id }) => id));
    const load = new AnswerLoad(gateway, user);
    await eventually(() => load.answered.length > 100, 20_000);
    await outage();
    const answered = load.answered.length;
    await eventually(() => load.answered.length > answered + 100, 20_000);
    await load.stop();

    expect(upstream.requests.length).toBe(load.answered.length);
    expect(new Set(load.answered).size).toBe(load.answered.length);
    expect(load.failed.filter((status) => status !== 503)).toEqual([]);
    // Rejected calls have no row, once it is deleted if Postgres had stored it.
    const rows = await eventually(async () => {
      const all = (await gateway.calls()).filter(({ id }) => !before.has(id));
      // Rows of the last second may wait in the journal.
      return all.length === load.answered.length && all.every(({ status }) => status !== 'open') && all;
    }, 20_000);
    expect(rows.map(({ id }) => id).sort()).toEqual([...load.answered].sort());
    expect(new Set(rows.map(({ status, error_code: code }) => `${status} ${code}`))).toEqual(new Set(['settled null']));
  });
});

it('a shutdown without a journal waits for the row of a paid answer as long as a call does', async () => {
  const database = await createMigratedDatabase();
  const proxy = await DatabaseProxy.create(database.url);
  await proxy.open();
  const upstream = await ScriptedUpstream.start();
  const gateway = await TestGateway.start({
    database,
    env: {
      DATABASE_URL: proxy.url,
      DATA_DIR: '/dev/null/data',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: 'sk-test',
    },
    config: { 'gateway.yaml': 'shutdown: { deadline: 0s }' },
  });
  expect(gateway.log.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/^There is no journal: ENOTDIR/));
  const user = await gateway.createUser();
  const answered = Promise.withResolvers<void>();
  upstream.enqueue([gate(answered.promise), completion()]);
  const reply = gateway.complete(user, { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] });
  await upstream.received(1);
  await proxy.close();
  answered.resolve();
  await eventually(() => gateway.log.some(({ msg }) => String(msg).includes('ledger cannot be written')));

  const drained = gateway.services.get(ShutdownService).drain({ isAlone: true });
  await eventually(() => gateway.log.some(({ msg }) => String(msg).startsWith('The deadline has passed')));
  await sleep(5500);
  await proxy.open();
  expect((await reply).status).toBe(200);
  await drained;
  expect((await gateway.calls()).map(({ status }) => status)).toEqual(['settled']);
  await gateway.stop();
  await upstream.close();
  await proxy.close();
  await database.drop();
});
