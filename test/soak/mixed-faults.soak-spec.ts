import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { INSPECTABLE, InspectedProcess, type ProcessState } from '../support/inspected-process.js';
import { metricOf, readMetrics } from '../support/metrics-text.js';
import { residentBytes, socketsOf } from '../support/processes.js';
import { Random } from '../support/random.js';
import { modelsFile } from '../support/routing-test.js';
import type { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';
import { startFaultyUpstream } from './faulty-upstream.js';
import { MixedClients } from './mixed-clients.js';

const SECONDS = Number(process.env.SOAK_SECONDS ?? 600);
const SEED = Number(process.env.SOAK_SEED ?? 20_261_122);
const WARM_UP_SECONDS = Math.min(SECONDS / 3, 120);
const CLIENTS = { streams: 200, jsons: 20 };
const MEGABYTE = 1024 ** 2;
/** Timers and connections to the database that come and go; a call that leaves one behind leaves thousands. */
const OWN_AFFAIRS = 12;

const SETTINGS = `
retry: { attempts: 3 }
routing: { asideFor: 500ms, asideAtMost: 2s }
overload: { maxLoopDelay: 1m }
`;

/** The resources of an idle gateway. */
interface Quiet extends ProcessState {
  resident: number;
  sockets: number;
}

let upstreams: ScriptedUpstream[];
let database: TestDatabase;
let gateway: GatewayProcess;
let inspected: InspectedProcess;
let key: string;
const ends = new Map<string, number>();

beforeAll(async () => {
  const random = new Random(SEED);
  upstreams = await Promise.all([1, 2, 3].map(() => startFaultyUpstream(random)));
  database = await createMigratedDatabase();
  gateway = await GatewayProcess.start({
    env: { DATABASE_URL: database.url, ...INSPECTABLE },
    config: {
      'gateway.yaml': SETTINGS,
      'models.yaml': modelsFile({
        m: 'targets: [{ upstream: u0, model: x }, { upstream: u1, model: x }], fallback: [spare]',
        spare: 'targets: [{ upstream: u2, model: y }]',
      }),
      'upstreams.yaml': upstreams.map(({ url }, i) => upstreamLine(i, url)).join(''),
    },
  });
  key = await gateway.createKey();
  inspected = await InspectedProcess.open(gateway);
});
afterAll(async () => {
  inspected?.close();
});

it(
  `${SECONDS} s of faults on both sides leak no memory, sockets or timers, and the ledger is consistent`,
  async () => {
    const faults = await load(WARM_UP_SECONDS);
    const before = await quiet();
    faults.push(...(await load(SECONDS - WARM_UP_SECONDS)));
    const after = await quiet();
    const verified = await gateway.cli('ledger:verify', '--json');
    print(tableOf(before, after), `ledger:verify  ${verified.stdout.trim()}`);

    expect(faults).toEqual([]);
    expect(after.live - before.live).toBeLessThan(8 * MEGABYTE);
    expect(after.resident - before.resident).toBeLessThan(64 * MEGABYTE);
    expect(after.sockets - before.sockets).toBeLessThan(OWN_AFFAIRS);
    expect(timersOf(after) - timersOf(before)).toBeLessThan(OWN_AFFAIRS);
    expect(await database.query("SELECT status FROM usage_calls WHERE status = 'open'")).toEqual([]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, faults: [] });
    expect(gateway.child.exitCode).toBeNull();
  },
  SECONDS * 1000 + 180_000,
);

/** Lets all clients call for so long; resolves to what none of them should have seen. */
async function load(seconds: number): Promise<string[]> {
  const clients = new MixedClients(gateway.url, key, new Random(SEED + ends.size), CLIENTS);
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    await sleep(Math.min(seconds * 100, 30_000));
    for (const upstream of upstreams) upstream.requests.length = 0;
    const resident = residentBytes(gateway.child.pid);
    print(`resident ${megabytes(resident)} MB, sockets ${socketsOf(gateway.child.pid)}, calls ${await underWay()}`);
  }
  await clients.stop();
  for (const [end, count] of clients.ends) ends.set(end, (ends.get(end) ?? 0) + count);
  return clients.faults;
}

/** Once all calls have ended, their rows are closed and no connection to an upstream is kept. */
async function quiet(): Promise<Quiet> {
  await eventually(async () => (await underWay()) === 0, 60_000);
  await eventually(
    async () => (await database.query("SELECT 1 FROM usage_calls WHERE status = 'open'")).length === 0,
    60_000,
  );
  for (const upstream of upstreams) upstream.disconnect();
  let sockets = -1;
  await eventually(async () => {
    const before = sockets;
    sockets = socketsOf(gateway.child.pid);
    await sleep(1000);
    return sockets === before;
  }, 60_000);
  return { ...(await inspected.collected()), resident: residentBytes(gateway.child.pid), sockets };
}

async function underWay(): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`, { headers: { connection: 'close' } })).text();
  return metricOf(readMetrics(text), 'gateway_calls_in_flight');
}

function timersOf({ resources: { Timeout = 0 } }: Quiet): number {
  return Timeout;
}

function tableOf(before: Quiet, after: Quiet): string {
  const row = (title: string, pick: (quiet: Quiet) => number) =>
    `${title.padEnd(32)}${String(pick(before)).padStart(12)}${String(pick(after)).padStart(12)}`;
  const kinds = [...new Set([before, after].flatMap(({ resources }) => Object.keys(resources)))].toSorted();
  return [
    `${''.padEnd(32)}${'warm'.padStart(12)}${'at the end'.padStart(12)}`,
    row('live after a collection, MB', ({ live }) => megabytes(live)),
    row('resident, MB', ({ resident }) => megabytes(resident)),
    row('sockets', ({ sockets }) => sockets),
    ...kinds.map((kind) => row(kind, ({ resources }) => resources[kind] ?? 0)),
    '',
    ...[...ends].toSorted(([, a], [, b]) => b - a).map(([end, count]) => `${String(count).padStart(8)} × ${end}`),
  ].join('\n');
}

function megabytes(bytes: number): number {
  return Math.round((bytes / MEGABYTE) * 10) / 10;
}

function upstreamLine(index: number, url: string): string {
  const clocks = '{ head: 2s, firstEvent: 2s, idle: 2s }';
  return `u${index}: { protocol: openai, baseUrl: "${url}/v1", auth: none, clocks: ${clocks} }\n`;
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
