import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerTo } from '../support/chat-answers.js';
import { Commands } from '../support/commands.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { gate } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createWorkFolder } from '../support/test-settings.js';

/** Longer than a call waits for its row. */
const OUTAGE_MS = 13_000;
const CALLS = 40;

interface Ended {
  readonly status: number;
  readonly text: string;
}

describe('an outage of the database that is longer than calls wait for their row', () => {
  let server: OwnPostgres;
  let upstream: ScriptedUpstream;
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  let gateway: GatewayProcess;
  let key: string;
  let answered: PromiseWithResolvers<void>;
  const commands = new Commands();

  const start = async () => {
    gateway = await GatewayProcess.start({ folder, env: variables() });
  };
  const variables = () => ({
    DATABASE_URL: server.url,
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    OPENAI_API_KEY: 'sk-test',
  });
  const call = async (stream: boolean): Promise<Ended> => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], stream }),
    });
    return { status: reply.status, text: await reply.text() };
  };
  const idsOf = (ended: readonly Ended[]) => ended.map(({ text }) => /"id":"([^"]+)"/.exec(text)?.[1]).sort();
  const waiting = () => readdirSync(join(folder.path, 'data', 'journal'));
  const verify = async () => {
    const all = { ...folder.variables, ...variables() };
    const { stdout } = await commands.run(['ledger:verify', '--json'], folder.path, all);
    return JSON.parse(stdout);
  };
  /** Calls in progress, half of them streams, whose answers end during the outage: one half immediately, one late. */
  const callsDuringOutage = async () => {
    const late = Promise.withResolvers<void>();
    let seen = 0;
    upstream.always((request) => answerTo(request, gate(seen++ % 2 ? late.promise : answered.promise)));
    const ending = Promise.all(Array.from({ length: CALLS }, (_, index) => call(index % 4 < 2)));
    await upstream.received(CALLS);
    await server.stop();
    answered.resolve();
    await sleep(OUTAGE_MS);
    late.resolve();
    return await ending;
  };
  const expectWhole = (ended: readonly Ended[]) => {
    expect(ended.map(({ status }) => status)).toEqual(Array(CALLS).fill(200));
    const streams = ended.filter((_, index) => index % 4 < 2);
    expect(streams.filter(({ text }) => !text.endsWith('data: [DONE]\n\n') || text.includes('"error"'))).toEqual([]);
    expect(ended.filter(({ text }) => text.includes('there!'))).toHaveLength(CALLS);
  };
  const expectRows = async (ids: readonly (string | undefined)[]) => {
    const rows = await eventually(async () => {
      const all = await server.query<{ id: string; what: string }>(
        `SELECT id, concat_ws(' ', status, error_code, input_tokens, output_tokens, cost_nanodollars) AS what
         FROM usage_calls ORDER BY id`,
      );
      return all.every(({ what }) => what.startsWith('settled')) && all;
    });
    expect(rows.map(({ id }) => id)).toEqual(ids);
    // 11 and 3 tokens, at 0.1 and 0.5 dollars a million.
    expect(new Set(rows.map(({ what }) => what))).toEqual(new Set(['settled 11 3 2600']));
  };

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
  });
  beforeEach(async () => {
    server = await OwnPostgres.start();
    folder = await createWorkFolder();
    answered = Promise.withResolvers();
    upstream.requests.length = 0;
    await start();
    key = await gateway.createKey();
  });
  afterEach(async () => {
    await gateway?.stop();
    await server?.drop();
  });

  it('lets answers end completely, and has each call once after the outage', async () => {
    const ended = await callsDuringOutage();
    expectWhole(ended);
    await server.startAgain();
    await expectRows(idsOf(ended));
    await eventually(() => waiting().length === 0);
    expect(await verify()).toEqual({ ok: true, calls: CALLS, waiting: 0, faults: [] });
  }, 120_000);

  it('loses nothing even if the gateway is killed meanwhile', async () => {
    const ended = await callsDuringOutage();
    expectWhole(ended);
    await gateway.kill('SIGKILL');
    await server.startAgain();
    expect(await verify()).toEqual({ ok: true, calls: CALLS, waiting: CALLS, faults: [] });
    await start();
    await expectRows(idsOf(ended));
    await eventually(() => waiting().length === 0);
    expect(await verify()).toEqual({ ok: true, calls: CALLS, waiting: 0, faults: [] });
  }, 120_000);
});
