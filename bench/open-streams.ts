import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFigures, RunPlan } from './load.ts';
import { loadPlan } from './measure.ts';
import type { Memory } from './probe.ts';
import type { Setting } from './setting.ts';

/** The gateway's memory for open streams. */
export interface OpenStreams {
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
export async function openStreams(setting: Setting): Promise<OpenStreams> {
  await hold(setting);
  const before = await collected(setting);
  const { held, during, figures } = await hold(setting);
  return {
    streams: held,
    liveBytes: (during.live - before.live) / held,
    residentBytes: (during.rss - before.rss) / held,
    errors: figures.errors,
    firstError: figures.firstError,
  };
}

interface Held {
  held: number;
  during: Memory;
  figures: LoadFigures;
}

async function hold(setting: Setting): Promise<Held> {
  const { gateway, driver } = setting;
  const { load, upstream } = driver;
  await load.ask('open', loadPlan(gateway, { connections: STREAMS, request: 'held' }));
  const run: RunPlan = { seconds: 0, rampMs: RAMP_MS };
  const running = load.ask<LoadFigures>('run', run);
  const held = await heldStreams(setting);
  const during = await collected(setting);
  await upstream.ask('release');
  const figures = await running;
  await load.ask('close');
  await sleep(SETTLE_MS);
  return { held, during, figures };
}

/** Waits until all are open, with a limit. */
async function heldStreams({ driver: { upstream } }: Setting): Promise<number> {
  let held = 0;
  for (const until = performance.now() + OPEN_LIMIT_MS; held < STREAMS && performance.now() < until; ) {
    await sleep(POLL_MS);
    held = await upstream.ask<number>('held');
  }
  return held;
}

function collected({ gateway }: Setting): Promise<Memory> {
  return gateway.child.ask<Memory>('collectedMemory');
}
