import { cpus } from 'node:os';
import { type Child, descendantsCpu } from './child.ts';
import type { LoadFigures, LoadPlan, RunPlan } from './load.ts';
import type { Usage } from './probe.ts';
import { type Format, isStreamed, type RequestKind } from './traffic.ts';

/** CPU µs per request or chunk. @throws if an answer was wrong. */
function cpuOf({ cpu, errors, firstError }: Sample): number {
  if (errors > 0) throw new Error(`${errors} wrong answers, the first: ${firstError}`);
  return cpu;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

/** A kind of load, the same for both servers. */
export interface Phase {
  name: 'json-64' | 'limits-64' | 'json-1' | 'streams-200' | 'anthropic-200' | 'conversation-8' | 'image-2';
  title: string;
  connections: number;
  request: RequestKind;
  /** The format that the gateway translates from and the proxy forwards; default: `openai`. */
  upstream?: Format;
  /** The format that the gateway's clients use; default: `openai`. */
  api?: Format;
  /** The key has limits on plan, user and key. */
  isLimited?: boolean;
  /** The bare proxy parses and serialises the body. */
  proxyParses?: boolean;
  /** What the CPU time is divided by. */
  unit: 'request' | 'chunk';
  /** Promised limits. */
  most: Promised;
}

/** Upper limits. */
export interface Promised {
  /** The gateway's CPU time as a multiple of the bare proxy's. */
  cpuRatio?: number;
  /** The database's CPU time, in µs a request. */
  databaseCpu?: number;
  /** What the gateway adds to the bare proxy's median. */
  addedP50Ms?: number;
}

/** How long a phase runs: `pairs` counted turns on each server, `seconds` each, after warming up. */
export interface Effort {
  pairs: number;
  seconds: number;
  warmUpAnswers: number;
}

/** Missing phases are skipped. */
export type Efforts = Partial<Record<Phase['name'], Effort>>;

export const phases: Phase[] = [
  {
    name: 'json-64',
    title: 'JSON, 64 connections',
    connections: 64,
    request: 'json',
    unit: 'request',
    most: { cpuRatio: 2.5, databaseCpu: 40 },
  },
  {
    name: 'limits-64',
    title: 'The same, with rates, concurrency and budgets on plan, user and key',
    connections: 64,
    request: 'json',
    isLimited: true,
    unit: 'request',
    most: {},
  },
  {
    name: 'json-1',
    title: 'JSON, 1 connection',
    connections: 1,
    request: 'json',
    unit: 'request',
    most: { addedP50Ms: 0.5 },
  },
  {
    name: 'streams-200',
    title: '200 streams',
    connections: 200,
    request: 'stream',
    unit: 'chunk',
    most: { cpuRatio: 1.3 },
  },
  {
    name: 'anthropic-200',
    title: '200 streams, Anthropic → OpenAI',
    connections: 200,
    request: 'stream',
    upstream: 'anthropic',
    unit: 'chunk',
    most: { cpuRatio: 1.5 },
  },
  {
    name: 'conversation-8',
    title: 'Conversation of 200 messages, 100 kB, 8 connections',
    connections: 8,
    request: 'conversation',
    unit: 'request',
    most: { cpuRatio: 2 },
  },
  {
    name: 'image-2',
    title: 'Image of 5 MB in base64, 2 connections; the bare proxy also parses and serialises it',
    connections: 2,
    request: 'image',
    proxyParses: true,
    unit: 'request',
    most: { cpuRatio: 1.5 },
  },
];

/** Many short turns instead of few long ones: other work on the machine then affects both servers alike. */
export const thorough: Efforts = {
  'json-64': { pairs: 16, seconds: 0.6, warmUpAnswers: 40_000 },
  'limits-64': { pairs: 8, seconds: 0.6, warmUpAnswers: 5000 },
  'json-1': { pairs: 8, seconds: 0.4, warmUpAnswers: 500 },
  'streams-200': { pairs: 16, seconds: 0.5, warmUpAnswers: 600 },
  'anthropic-200': { pairs: 5, seconds: 0.5, warmUpAnswers: 200 },
  'conversation-8': { pairs: 8, seconds: 0.5, warmUpAnswers: 1000 },
  'image-2': { pairs: 8, seconds: 0.8, warmUpAnswers: 30 },
};

export const quick: Efforts = {
  'json-64': { pairs: 4, seconds: 0.5, warmUpAnswers: 12_000 },
  'json-1': { pairs: 2, seconds: 0.3, warmUpAnswers: 200 },
  'streams-200': { pairs: 3, seconds: 0.5, warmUpAnswers: 200 },
  'anthropic-200': { pairs: 1, seconds: 0.5, warmUpAnswers: 0 },
};

/** @throws if there is no such load. */
export function phaseOf(name: Phase['name']): Phase {
  const phase = phases.find((one) => one.name === name);
  if (!phase) throw new Error(`there is no load '${name}'`);
  return phase;
}

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
const ALTERNATING_SECONDS = 0.5;
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

/** CPU µs of two loads in alternating turns. @throws if an answer was wrong. */
export async function alternate(
  [oneTarget, one]: readonly [Target, Measured],
  [otherTarget, other]: readonly [Target, Measured],
  driver: Driver,
  turns: number,
): Promise<(readonly [one: number, other: number])[]> {
  const pairs: (readonly [number, number])[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const ofOther = cpuOf(await measure(otherTarget, other, driver, ALTERNATING_SECONDS));
    pairs.push([cpuOf(await measure(oneTarget, one, driver, ALTERNATING_SECONDS)), ofOther]);
  }
  return pairs;
}

type Requested = Omit<Measured, 'title' | 'unit'>;

export function loadPlan({ name, port, key, limitedKey }: Target, requested: Requested): LoadPlan {
  const { connections, request, upstream = 'openai', api = 'openai', isLimited, proxyParses } = requested;
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
