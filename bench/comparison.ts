import { measure, type Sample, warmUp } from './measure.ts';
import { type OpenStreams, openStreams } from './open-streams.ts';
import { type Effort, type Efforts, type Phase, phaseOf, phases } from './phases.ts';
import type { Memory } from './probe.ts';
import { median, quantile } from './quantiles.ts';
import type { Setting } from './setting.ts';

/** Memory that grows by more than this over a run is not flat. */
const FLAT_LIMIT_BYTES = 5 * 1024 * 1024;
const PAUSE_MS = 1000;
const FULL_LOAD_SECONDS = 30;
/** The first pairs of a phase: after another load, V8 recompiles specialised code. */
const UNCOUNTED_PAIRS = 2;

/** Medians over a phase's turns. */
export interface ServerFigures extends Omit<Sample, 'othersBusy' | 'requests' | 'events' | 'errors' | 'firstError'> {
  /** Of each turn, in order. */
  cpuOfTurns: number[];
}

export interface PhaseResult {
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

export interface Heavy {
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
