import { cpus } from 'node:os';
import type { Child } from './child.ts';
import { descendantsCpu } from './descendants.ts';
import type { LoadFigures, LoadPlan, RunPlan } from './load.ts';
import type { Phase } from './phases.ts';
import type { Usage } from './probe.ts';
import { isStreamed } from './requests.ts';

/** A server under test. */
export interface Target {
  name: 'gateway' | 'proxy';
  child: Child;
  port: number;
  key: string;
  /** With limits on plan, user and key. */
  limitedKey: string;
}

/** What generates its load. */
export interface Driver {
  load: Child;
  upstream: Child;
}

/** One phase on one server in one round. CPU in µs per request or chunk. */
export interface Sample {
  cpu: number;
  mainThreadCpu: number;
  /** Of the processes below the server's; null if unknown. */
  databaseCpu: number | null;
  requestsPerSecond: number;
  eventsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Share of one processor. */
  serverBusy: number;
  driverBusy: number;
  /** Use by other programs, in processors. */
  othersBusy: number;
  requests: number;
  /** Chunks of streams. */
  events: number;
  errors: number;
  firstError: string | null;
}

interface Instant {
  server: Usage;
  load: Usage;
  upstream: Usage;
  database: number | null;
  /** CPU of the whole machine, in µs. */
  machine: number;
}

/** A load, apart from its place in the benchmark. */
export type Measured = Omit<Phase, 'name' | 'most'>;

/** Shorter than a stream, so that the load is nearly constant and at its maximum most of the time. */
const RAMP_MS = 200;
const WARM_UP_TURN_SECONDS = 0.5;
const WARM_UP_LIMIT_MS = 20_000;

/**
 * Runs one phase for `seconds` on open connections. Counts all of the server's time and work from the first request to
 * the last answer.
 */
export async function measure(target: Target, phase: Measured, driver: Driver, seconds: number): Promise<Sample> {
  const { load } = driver;
  await load.ask('open', loadPlan(target, phase));
  const before = await instant(target, driver);
  const run: RunPlan = { seconds, rampMs: isStreamed(phase.request) ? RAMP_MS : 0 };
  const figures = await load.ask<LoadFigures>('run', run);
  const after = await instant(target, driver);
  await load.ask('close');
  return sample(phase, before, after, figures);
}

/**
 * Drives a server until its code is compiled, for this many answers or at most 20 s. @throws if there is no correct
 * answer.
 */
export async function warmUp(target: Target, phase: Measured, driver: Driver, answers: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const until = performance.now() + WARM_UP_LIMIT_MS;
  for (let given = 0; given < answers && performance.now() < until; ) {
    const sample = await measure(target, phase, driver, WARM_UP_TURN_SECONDS);
    if (sample.requests === 0)
      throw new Error(`${phase.title}, ${target.name}: no correct answer; ${sample.firstError}`);
    given += sample.requests;
    samples.push(sample);
  }
  return samples;
}

type Asked = Omit<Measured, 'title' | 'unit'>;

export function loadPlan({ name, port, key, limitedKey }: Target, asked: Asked): LoadPlan {
  const { connections, request, upstream = 'openai', api = 'openai', isLimited, proxyParses } = asked;
  const isProxy = name === 'proxy';
  return {
    port,
    key: isLimited ? limitedKey : key,
    connections,
    request,
    upstream,
    format: isProxy ? upstream : api,
    parses: isProxy && proxyParses,
  };
}

async function instant(target: Target, { load, upstream }: Driver): Promise<Instant> {
  const [serverUsage, loadUsage, upstreamUsage] = await Promise.all([
    target.child.ask<Usage>('usage'),
    load.ask<Usage>('usage'),
    upstream.ask<Usage>('usage'),
  ]);
  return {
    server: serverUsage,
    load: loadUsage,
    upstream: upstreamUsage,
    database: descendantsCpu(target.child.pid),
    machine: machineCpu(),
  };
}

function machineCpu(): number {
  const ms = cpus().reduce((sum, { times: { user, nice, sys } }) => sum + user + nice + sys, 0);
  return ms * 1000;
}

function sample(phase: Measured, before: Instant, after: Instant, figures: LoadFigures): Sample {
  const units = phase.unit === 'chunk' ? figures.events : figures.requests;
  const wall = after.server.at - before.server.at;
  const server = after.server.cpu - before.server.cpu;
  const driver = after.load.cpu - before.load.cpu + after.upstream.cpu - before.upstream.cpu;
  const database = before.database === null || after.database === null ? null : after.database - before.database;
  const others = after.machine - before.machine - server - driver - (database ?? 0);
  return {
    cpu: server / units,
    mainThreadCpu: (after.server.mainThreadCpu - before.server.mainThreadCpu) / units,
    databaseCpu: database === null ? null : database / units,
    requestsPerSecond: figures.requests / figures.seconds,
    eventsPerSecond: figures.events / figures.seconds,
    p50Ms: figures.p50Ms,
    p99Ms: figures.p99Ms,
    serverBusy: server / wall,
    driverBusy: driver / wall,
    othersBusy: Math.max(0, others / wall),
    requests: figures.requests,
    events: figures.events,
    errors: figures.errors,
    firstError: figures.firstError,
  };
}
