/**
 * `npm run bench -- workers`: what a second worker gains. Load, upstream and database share the machine with the
 * workers, so calls a second mean little; calls a second of the busiest worker's CPU are what the workers would serve
 * with a processor each and a free upstream.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { Child, workersCpu } from './child.ts';
import { benchFolder, type Gateway, launchGateway, newKey } from './gateway.ts';
import type { LoadFigures, LoadPlan } from './load.ts';
import { median } from './measure.ts';

const WORKERS = [1, 2];
/** To each worker: larger batches make each ledger row cheaper. */
const CONNECTIONS = 64;
const WARM_UP_TURNS = 8;
const TURNS = 12;
const TURN_SECONDS = 1;
const US_PER_SECOND = 1_000_000;
const REQUIRED_CAPACITY = 1.7;
const REQUIRED_CPU = 1.1;

interface Served {
  readonly workers: number;
  readonly gateway: Gateway;
  readonly key: string;
  readonly turns: Turn[];
}

interface Turn {
  callsPerSecond: number;
  /** µs, of all workers together. */
  cpuPerCall: number;
  /** Calls a second of the busiest worker's CPU. */
  capacity: number;
}

const folders: string[] = [];
const children: Child[] = [];
try {
  report(await measureAll());
} finally {
  await Promise.all(children.map((child) => child.stop()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function measureAll(): Promise<Served[]> {
  const load = started('load.ts');
  const upstream = started('upstream.ts');
  const upstreamUrl = `http://127.0.0.1:${await upstream.ask<number>('port')}`;
  const all: Served[] = [];
  for (const workers of WORKERS) all.push(await serve(workers, upstreamUrl));
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
    for (const served of turn % 2 ? all : all.toReversed()) {
      const figures = await drive(served, load);
      if (turn >= 0) served.turns.push(figures);
    }
  }
  return all;
}

async function serve(workers: number, upstreamUrl: string): Promise<Served> {
  const folder = benchFolder();
  folders.push(folder);
  const gateway = await launchGateway(folder, upstreamUrl, { WORKERS: String(workers) });
  children.push(gateway.child);
  return { workers, gateway, key: await newKey(gateway), turns: [] };
}

async function drive({ workers, gateway, key }: Served, load: Child): Promise<Turn> {
  const plan: LoadPlan = {
    port: gateway.port,
    key,
    connections: CONNECTIONS * workers,
    request: 'json',
    upstream: 'openai',
    format: 'openai',
  };
  await load.ask('open', plan);
  const before = workersCpu(gateway.child.pid, 'worker.js');
  const { requests, seconds, errors, firstError } = await load.ask<LoadFigures>('run', {
    seconds: TURN_SECONDS,
    rampMs: 0,
  });
  const after = workersCpu(gateway.child.pid, 'worker.js');
  await load.ask('close');
  if (errors > 0) throw new Error(`${errors} wrong answers, the first: ${firstError}`);
  const cpu = [...after].map(([pid, end]) => end - (before.get(pid) ?? 0));
  return {
    callsPerSecond: requests / seconds,
    cpuPerCall: cpu.reduce((sum, one) => sum + one, 0) / requests,
    capacity: (requests / Math.max(...cpu)) * US_PER_SECOND,
  };
}

function started(script: string): Child {
  const child = new Child(path.join(import.meta.dirname, script));
  children.push(child);
  return child;
}

function report(all: Served[]): void {
  const row = (title: string, pick: (turn: Turn) => number, required = ''): void => {
    const figures = all.map(({ turns }) => median(turns.map(pick)));
    const [one = Number.NaN, several = Number.NaN] = figures;
    const columns = figures.map((figure) => figure.toFixed(0).padStart(10)).join('');
    console.log(`${title.padEnd(48)}${columns}${(several / one).toFixed(2).padStart(8)}  ${required}`);
  };
  console.log(
    `${''.padEnd(48)}${WORKERS.map((count) => `${count} worker${count > 1 ? 's' : ''}`.padStart(10)).join('')}`,
  );
  row("calls/s of the busiest worker's CPU", ({ capacity }) => capacity, `≥ ${REQUIRED_CAPACITY}`);
  row('CPU µs per call, all workers', ({ cpuPerCall }) => cpuPerCall, `≤ ${REQUIRED_CPU}`);
  row('calls/s here, beside load, upstream and database', ({ callsPerSecond }) => callsPerSecond);
}
