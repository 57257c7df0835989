import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pinning, Setting } from './gateway.ts';
import type { LoadFigures, RunPlan } from './load.ts';
import {
  type Effort,
  type Efforts,
  loadPlan,
  measure,
  median,
  type Phase,
  phaseOf,
  phases,
  quantile,
  type Sample,
  warmUp,
} from './measure.ts';
import type { Memory } from './probe.ts';
import { isStreamed } from './traffic.ts';

/** The gateway's memory for open streams. */
interface OpenStreams {
  /** How many were open; the others are errors. */
  streams: number;
  /** For each stream: JavaScript objects and their buffers, after a full collection. */
  liveBytes: number;
  /** For each stream, of the process. */
  residentBytes: number;
  errors: number;
  firstError: string | null;
}

const STREAMS = 5000;
const RAMP_MS = 15_000;
const OPEN_LIMIT_MS = 45_000;
const POLL_MS = 200;
/** The remaining streams end meanwhile. */
const SETTLE_MS = 1000;

/**
 * Opens thousands of streams that stop in the middle, measures the gateway's memory, and lets them end. A first round
 * that is not counted excludes memory that the process keeps permanently.
 */
async function openStreams(setting: Setting): Promise<OpenStreams> {
  await hold(setting);
  const before = await collected(setting);
  const { paused, during, figures } = await hold(setting);
  return {
    streams: paused,
    liveBytes: (during.live - before.live) / paused,
    residentBytes: (during.rss - before.rss) / paused,
    errors: figures.errors,
    firstError: figures.firstError,
  };
}

interface Paused {
  paused: number;
  during: Memory;
  figures: LoadFigures;
}

async function hold(setting: Setting): Promise<Paused> {
  const { gateway, driver } = setting;
  const { load, upstream } = driver;
  await load.ask('open', loadPlan(gateway, { connections: STREAMS, request: 'paused' }));
  const run: RunPlan = { seconds: 0, rampMs: RAMP_MS };
  const running = load.ask<LoadFigures>('run', run);
  const paused = await pausedStreams(setting);
  const during = await collected(setting);
  await upstream.ask('release');
  const figures = await running;
  await load.ask('close');
  await sleep(SETTLE_MS);
  return { paused, during, figures };
}

/** Waits until all are open, with a limit. */
async function pausedStreams({ driver: { upstream } }: Setting): Promise<number> {
  let paused = 0;
  for (const until = performance.now() + OPEN_LIMIT_MS; paused < STREAMS && performance.now() < until; ) {
    await sleep(POLL_MS);
    paused = await upstream.ask<number>('paused');
  }
  return paused;
}

function collected({ gateway }: Setting): Promise<Memory> {
  return gateway.child.ask<Memory>('collectedMemory');
}

type Row = [label: string, gateway: string, proxy: string, ratio: string, wanted: string, verdict: string];

const KB = 1024;
const MB = 1024 * KB;
const MAX_LOADED_MB = 250;
const MAX_STREAM_KB = 40;
const HEAD: Row = ['', 'gateway', 'bare proxy', 'ratio', 'wanted', 'verdict'];
/** Above this share of its processor, the load generator may be the bottleneck. */
const DRIVER_LIMIT = 0.9;
/** Use by other programs, in processors, that deserves a warning. */
const OTHERS_LIMIT = 0.1;

/** Plain text. */
export function toTable(comparison: Comparison, pinning: Pinning | null): string {
  const rows = [HEAD, ...comparison.phases.flatMap(phaseRows), ...memoryRows(comparison)];
  return [...aligned(rows), '', ...remarks(comparison, pinning)].join('\n');
}

/** The last two cells of a row. */
function promise(value: number, most: number | undefined): [wanted: string, verdict: string] {
  return most === undefined ? ['', ''] : [`≤ ${most}`, value <= most ? 'ok' : 'OVER'];
}

function phaseRows({ phase, gateway, proxy, cpuRatio, margin, addedP50Ms }: PhaseResult): Row[] {
  const streamed = isStreamed(phase.request);
  const { most } = phase;
  const row = (label: string, pick: (figures: ServerFigures) => number, digits: number): Row => [
    `  ${label}`,
    pick(gateway).toFixed(digits),
    pick(proxy).toFixed(digits),
    (pick(gateway) / pick(proxy)).toFixed(2),
    '',
    '',
  ];
  const spread = gateway.cpuOfTurns.length > 1 ? ` ± ${margin.toFixed(2)}` : '';
  const ratio = `${cpuRatio.toFixed(2)}${spread}`;
  const cpu = `  CPU µs per ${phase.unit}`;
  return [
    [phase.title, '', '', '', '', ''],
    [cpu, gateway.cpu.toFixed(1), proxy.cpu.toFixed(1), ratio, ...promise(cpuRatio, most.cpuRatio)],
    row('  of it on the main thread', (figures) => figures.mainThreadCpu, 1),
    ...(gateway.databaseCpu === null ? [] : [databaseRow(phase, gateway.databaseCpu)]),
    row('requests/s', (figures) => figures.requestsPerSecond, 0),
    ...(streamed ? [row('chunks/s', (figures) => figures.eventsPerSecond, 0)] : []),
    row(streamed ? 'first chunk p50 ms' : 'p50 ms', (figures) => figures.p50Ms, 2),
    ...(most.addedP50Ms === undefined ? [] : [addedRow(addedP50Ms, most.addedP50Ms)]),
    row(streamed ? 'first chunk p99 ms' : 'p99 ms', (figures) => figures.p99Ms, 2),
    ['  processor busy: server', percent(gateway.serverBusy), percent(proxy.serverBusy), '', '', ''],
    ['  processor busy: load', percent(gateway.driverBusy), percent(proxy.driverBusy), '', '', ''],
  ];
}

function databaseRow({ unit, most }: Phase, cpu: number): Row {
  return [`    beside it: database, µs per ${unit}`, cpu.toFixed(1), '', '', ...promise(cpu, most.databaseCpu)];
}

function addedRow(addedMs: number, mostMs: number): Row {
  return ['  added p50 ms', addedMs.toFixed(2), '', '', ...promise(addedMs, mostMs)];
}

function heavyRows({ loadedRss, openStreams: { streams, liveBytes, residentBytes } }: Heavy): Row[] {
  const mb = loadedRss / MB;
  const live = liveBytes / KB;
  return [
    ['  resident after 30 s at full load', mb.toFixed(0), '', '', ...promise(mb, MAX_LOADED_MB)],
    [`  an open stream, ${streams} of them, kB: live`, live.toFixed(1), '', '', ...promise(live, MAX_STREAM_KB)],
    ['  the same: resident', (residentBytes / KB).toFixed(1), '', '', '', ''],
  ];
}

function memoryRows({ memory: { warm, lastRss, end, isFlat }, heavy, errors }: Comparison): Row[] {
  return [
    ['Memory of the gateway, MB', '', '', '', '', ''],
    ...(heavy ? heavyRows(heavy) : []),
    ['  resident: warm → last load → after a pause', arrow(warm.rss, lastRss, end.rss), '', '', '', ''],
    ['  live: warm → after a pause', arrow(warm.live, end.live), '', '', '≤ + 5', isFlat ? 'flat' : 'GROWS'],
    ['Wrong or missing answers', String(errors), '', '', '0', errors === 0 ? 'ok' : 'FAILED'],
  ];
}

function remarks({ phases, requests, firstError, othersBusy }: Comparison, pinning: Pinning | null): string[] {
  const slow = phases.filter(({ gateway, proxy }) => Math.max(gateway.driverBusy, proxy.driverBusy) > DRIVER_LIMIT);
  return [
    `${requests} answers checked. Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ` +
      (pinning
        ? `servers on processor ${pinning.servers}, load and upstream on ${pinning.load}.`
        : 'processes not pinned.'),
    'CPU is that of the whole process, all its threads; each figure is the median of short turns on both servers alternately.',
    ...slow.map(({ phase }) => `${phase.title}: the load generator was at its limit, so requests/s are a floor.`),
    ...(othersBusy > OTHERS_LIMIT
      ? [
          `Other programs took ${othersBusy.toFixed(1)} processors meanwhile: the figures are more stable on an idle machine.`,
        ]
      : []),
    ...(firstError ? [`First error: ${firstError}`] : []),
  ];
}

function aligned(rows: Row[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function arrow(...bytes: number[]): string {
  return bytes.map((value) => (value / MB).toFixed(0)).join(' → ');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Memory that grows by more than this over a run is not flat. */
const FLAT_LIMIT_BYTES = 5 * 1024 * 1024;
const PAUSE_MS = 1000;
const FULL_LOAD_SECONDS = 30;
/** The first pairs of a phase: after another load, V8 recompiles specialised code. */
const UNCOUNTED_PAIRS = 2;

/** Medians over a phase's turns. */
interface ServerFigures extends Omit<Sample, 'othersBusy' | 'requests' | 'events' | 'errors' | 'firstError'> {
  /** Of each turn, in order. */
  cpuOfTurns: number[];
}

interface PhaseResult {
  phase: Phase;
  gateway: ServerFigures;
  proxy: ServerFigures;
  /** Gateway : proxy, the median of each turn's ratio, since adjacent turns see the same machine conditions. */
  cpuRatio: number;
  /** The true ratio is within this margin with 95 % confidence. */
  margin: number;
  /** Gateway − proxy, of the medians of their turns. */
  addedP50Ms: number;
}

export interface Comparison {
  phases: PhaseResult[];
  /** The gateway's bytes: warm, under the last load, and after a pause and a full collection. */
  memory: { warm: Memory; lastRss: number; end: Memory; isFlat: boolean };
  /** Null in a quick run. */
  heavy: Heavy | null;
  requests: number;
  errors: number;
  firstError: string | null;
  /** Use by other programs, in processors. */
  othersBusy: number;
}

interface Heavy {
  /** Bytes after half a minute at full load, before any forced collection. */
  loadedRss: number;
  openStreams: OpenStreams;
}

/** Runs all phases alternately on both servers, and returns the figures of both. */
export async function compare(setting: Setting, efforts: Efforts, isHeavy: boolean): Promise<Comparison> {
  const samples: Sample[] = [];
  const driven = phases.flatMap((phase): Driven[] => {
    const effort = efforts[phase.name];
    return effort ? [{ phase, effort }] : [];
  });
  const loadedRss = isHeavy ? await rssUnderLoad(setting, samples) : 0;
  for (const { phase, effort } of driven) {
    for (const target of [setting.gateway, setting.proxy]) {
      samples.push(...(await warmUp(target, phase, setting.driver, effort.warmUpAnswers)));
    }
  }
  const warm = await restingMemory(setting);
  const results: PhaseResult[] = [];
  for (const { phase, effort } of driven) {
    const pairs = await alternate(setting, phase, effort);
    samples.push(...pairs.flatMap(({ gateway, proxy }) => [gateway, proxy]));
    results.push(phaseResult(phase, pairs.slice(UNCOUNTED_PAIRS)));
  }
  const lastRss = await setting.gateway.child.ask<number>('rss');
  const end = await restingMemory(setting);
  const heavy = isHeavy ? { loadedRss, openStreams: await openStreams(setting) } : null;
  return {
    heavy,
    phases: results,
    memory: { warm, lastRss, end, isFlat: end.live - warm.live <= FLAT_LIMIT_BYTES },
    requests: samples.reduce((sum, { requests }) => sum + requests, 0),
    errors: samples.reduce((sum, { errors }) => sum + errors, heavy?.openStreams.errors ?? 0),
    firstError: [...samples, heavy?.openStreams].find((one) => one?.firstError)?.firstError ?? null,
    othersBusy: median(samples.map(({ othersBusy }) => othersBusy)),
  };
}

interface Driven {
  phase: Phase;
  effort: Effort;
}

interface Pair {
  gateway: Sample;
  proxy: Sample;
}

/** Alternates the order, so that a drift of the machine cancels out. */
async function alternate({ gateway, proxy, driver }: Setting, phase: Phase, effort: Effort): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let i = 0; i < UNCOUNTED_PAIRS + effort.pairs; i++) {
    const order = i % 2 ? [proxy, gateway] : [gateway, proxy];
    const turns: Partial<Record<'gateway' | 'proxy', Sample>> = {};
    for (const target of order) turns[target.name] = await measure(target, phase, driver, effort.seconds);
    if (turns.gateway && turns.proxy) pairs.push({ gateway: turns.gateway, proxy: turns.proxy });
  }
  return pairs;
}

function phaseResult(phase: Phase, pairs: Pair[]): PhaseResult {
  const ratios = pairs.map(({ gateway, proxy }) => gateway.cpu / proxy.cpu);
  const gateway = serverFigures(pairs.map((pair) => pair.gateway));
  const proxy = serverFigures(pairs.map((pair) => pair.proxy));
  return {
    phase,
    gateway,
    proxy,
    cpuRatio: median(ratios),
    margin: medianMargin(ratios),
    addedP50Ms: gateway.p50Ms - proxy.p50Ms,
  };
}

function serverFigures(samples: Sample[]): ServerFigures {
  const database = samples.flatMap(({ databaseCpu }) => databaseCpu ?? []);
  const middle = (pick: (sample: Sample) => number): number => median(samples.map(pick));
  return {
    cpu: middle((sample) => sample.cpu),
    cpuOfTurns: samples.map((sample) => sample.cpu),
    mainThreadCpu: middle((sample) => sample.mainThreadCpu),
    databaseCpu: database.length > 0 ? median(database) : null,
    requestsPerSecond: middle((sample) => sample.requestsPerSecond),
    eventsPerSecond: middle((sample) => sample.eventsPerSecond),
    p50Ms: middle((sample) => sample.p50Ms),
    p99Ms: middle((sample) => sample.p99Ms),
    serverBusy: middle((sample) => sample.serverBusy),
    driverBusy: middle((sample) => sample.driverBusy),
  };
}

async function rssUnderLoad({ gateway, driver }: Setting, samples: Sample[]): Promise<number> {
  samples.push(await measure(gateway, phaseOf('json-64'), driver, FULL_LOAD_SECONDS));
  return gateway.child.ask<number>('rss');
}

async function restingMemory({ gateway }: Setting): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return gateway.child.ask<Memory>('collectedMemory');
}

/** Half the 95 % interval of a median: the notch of a box plot. */
function medianMargin(values: number[]): number {
  return (1.57 * (quantile(values, 0.75) - quantile(values, 0.25))) / Math.sqrt(values.length);
}
