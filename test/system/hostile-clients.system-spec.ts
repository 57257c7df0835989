import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chatRequest, connections, dribble } from '../support/bare-client.js';
import { answerTo, chunkOf, stream } from '../support/chat-answers.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { INSPECTABLE, InspectedProcess } from '../support/inspected-process.js';
import { LiveProbe } from '../support/live-probe.js';
import { LostTime } from '../support/lost-time.js';
import { metricOf, readMetrics } from '../support/metrics-text.js';
import { socketsOf } from '../support/processes.js';
import { chunk, hang, head, type Script, type Step } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';

const MEGABYTE = 1024 ** 2;
const QUESTION = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Say hello.' }] };
/** Small enough that no probe times out on a busy machine; waiting for those clients would never end. */
const QUICK_MS = 5000;
const SLOW_HEADS = 300;
/** A head must arrive within a minute; Node checks every half minute. */
const HEAD_LIMIT_MS = 60_000 + 30_000;
const LONG_EVENT = Buffer.from(`data: ${JSON.stringify(chunkOf({ content: 'x'.repeat(64 * 1024) }))}\n\n`);

let upstream: ScriptedUpstream;
let database: TestDatabase;
let gateway: GatewayProcess;
let key: string;
let slowHeads: SlowHead[];
let inspected: InspectedProcess;
let probe: LiveProbe;
let clients: Socket[] = [];

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  database = await createMigratedDatabase();
  gateway = await GatewayProcess.start({
    env: {
      DATABASE_URL: database.url,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      OPENAI_API_KEY: 'sk-test',
      ...INSPECTABLE,
    },
    // A busy machine's loop may lag: no call may be rejected for that here.
    config: { 'gateway.yaml': 'overload: { maxLoopDelay: 1m }' },
  });
  inspected = await InspectedProcess.open(gateway);
  key = await gateway.createKey();
  upstream.always((request) => answerTo(request));
  for (let i = 0; i < 20; i++) expect((await complete()).status).toBe(200);
  slowHeads = (await connections(gateway.url, SLOW_HEADS)).map(slowHeadOf);
});
afterAll(async () => {
  for (const { client } of slowHeads ?? []) client.destroy();
  inspected?.close();
});

beforeEach(() => {
  probe = new LiveProbe(gateway.url);
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  upstream.always((request) => answerTo(request));
  await noneUnderWay();
  const { wrong, slowestMs } = await probe.stop();
  expect(wrong).toEqual([]);
  expect(slowestMs).toBeLessThan(QUICK_MS);
});

const complete = () =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(QUESTION),
  });
const noneUnderWay = () =>
  eventually(async () => {
    const metrics = readMetrics(await (await fetch(`${gateway.url}/metrics`)).text());
    return metricOf(metrics, 'gateway_calls_in_flight') === 0;
  });
const openRows = () => database.query("SELECT 1 FROM usage_calls WHERE status = 'open'");

/** Bare clients, each of which has sent a request and reads nothing. */
async function askers(count: number, fields: object): Promise<Socket[]> {
  clients = await connections(gateway.url, count);
  const { head: top, body } = chatRequest(key, { ...QUESTION, ...fields });
  for (const client of clients) client.pause().write(top + body);
  return clients;
}

describe('clients that send slowly', () => {
  it('are read byte by byte and answered', async () => {
    const open = (await inspected.collected()).live;
    clients = await connections(gateway.url, 200);
    const { head: top, body } = chatRequest(key, QUESTION);
    const answers = clients.map(async (client) => {
      client.write(top);
      dribble(client, body, 50);
      const [data] = (await once(client, 'data')) as [Buffer];
      return data.toString('latin1', 9, 12);
    });
    expect((await complete()).status).toBe(200);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['200']));
    expect((await inspected.collected()).live - open).toBeLessThan(16 * MEGABYTE);
  });
});

describe('clients that stop reading their streams', () => {
  it('pause their upstreams, which are aborted within a second when they disconnect', async () => {
    let sent = 0;
    const endless: Step = async (wire) => {
      while (!wire.gone) {
        await sleep(50);
        await chunk(LONG_EVENT)(wire);
        sent += LONG_EVENT.length;
      }
    };
    const script: Script = [
      head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
      endless,
    ];
    upstream.always(() => script);
    const open = (await inspected.collected()).live;
    const before = upstream.requests.length;
    const readers = await askers(50, { stream: true });
    await upstream.received(before + readers.length);
    await untilUnchanged(() => sent);
    const each = ((await inspected.collected()).live - open) / readers.length;
    expect(each).toBeLessThan(MEGABYTE);
    upstream.always((request) => answerTo(request));
    expect((await complete()).status).toBe(200);

    const [leftAt, lost] = [performance.now(), new LostTime()];
    for (const reader of readers) reader.destroy();
    const requested = upstream.requests.slice(before, before + readers.length);
    await Promise.all(requested.map(({ aborted }) => aborted));
    expect(Math.max(...requested.map(({ abortedAt = 0 }) => abortedAt)) - leftAt).toBeLessThan(1000 + lost.stop());
  });
});

describe('two thousand idle connections', () => {
  it('cost little, and are freed when they end', async () => {
    const [open, sockets] = [(await inspected.collected()).live, socketsOf(gateway.child.pid)];
    clients = await connections(gateway.url, 2000);
    // Sockets of the test before may still be counted in `sockets`.
    await eventually(() => socketsOf(gateway.child.pid) >= 2000);
    expect((await complete()).status).toBe(200);
    expect((await inspected.collected()).live - open).toBeLessThan(64 * MEGABYTE);
    for (const client of clients) client.destroy();
    await eventually(() => socketsOf(gateway.child.pid) <= sockets + 20);
  });
});

describe('two hundred clients that disconnect in the middle of their calls', () => {
  it.each<[string, object, Script]>([
    ['before an answer', {}, hang()],
    ['before a stream', { stream: true }, hang()],
    ['in a stream', { stream: true }, stream(['Hello', hang()])],
  ])('%s end their upstream calls within a second, and leave no open row', async (_when, fields, script) => {
    upstream.always(() => script);
    const before = upstream.requests.length;
    const sockets = socketsOf(gateway.child.pid);
    const vanishing = await askers(200, fields);
    await upstream.received(before + vanishing.length);
    const [leftAt, lost] = [performance.now(), new LostTime()];
    for (const client of vanishing) client.resetAndDestroy();
    const requested = upstream.requests.slice(before);
    await Promise.all(requested.map(({ aborted }) => aborted));
    expect(Math.max(...requested.map(({ abortedAt = 0 }) => abortedAt)) - leftAt).toBeLessThan(1000 + lost.stop());
    await eventually(async () => (await openRows()).length === 0);
    await eventually(() => socketsOf(gateway.child.pid) <= sockets + 20);
    const rows = await database.query(
      "SELECT DISTINCT status, error_code FROM usage_calls WHERE status <> 'settled' AND started_at > now() - interval '1 minute'",
    );
    expect(rows).toEqual([{ status: 'aborted', error_code: 'client_closed' }]);
  });
});

describe('clients that send headers byte by byte', () => {
  it('are rejected after a minute, without affecting others', async () => {
    const ends = await Promise.all(slowHeads.map(({ end }) => end));
    expect(new Set(ends.map(({ answer }) => answer))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
    expect(Math.max(...ends.map(({ ms }) => ms))).toBeLessThan(HEAD_LIMIT_MS + 10_000);
  }, 150_000);
});

interface SlowHead {
  client: Socket;
  /** Of its connection, which the gateway should end. */
  end: Promise<{ answer: string; ms: number }>;
}

/** Makes a client send a head that takes hours. */
function slowHeadOf(client: Socket): SlowHead {
  const beganAt = performance.now();
  dribble(client, `${chatRequest(key, QUESTION).head.slice(0, -2)}X-Long: ${'x'.repeat(10_000)}`, 500);
  let received = '';
  client.on('data', (data: Buffer) => (received += data.toString('latin1')));
  const end = once(client, 'close').then(() => {
    return { answer: received.split('\r\n')[0] ?? '', ms: performance.now() - beganAt };
  });
  return { client, end };
}

/** Resolves when a value has stayed the same for a while. */
async function untilUnchanged(figure: () => number): Promise<void> {
  let [before, still] = [-1, 0];
  await eventually(() => {
    still = figure() === before ? still + 1 : 0;
    before = figure();
    return before > 0 && still === 50;
  }, 60_000);
}
