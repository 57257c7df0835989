/** Counts a process's work: bytes allocated at any time, the rest between `startCounting` and `counts`. */
/**
 * Loaded with `--import` into every process of the bench, so that all are measured alike. Does nothing until queried,
 * and ends its process when the bench is gone.
 */
import { createHook } from 'node:async_hooks';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { Socket } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { answerQuestions } from './questions.ts';

export interface Counts {
  timers: number;
  promises: number;
  /** Async resources of any other kind. */
  resources: number;
  socketWrites: number;
  statements: number;
}

const counted: Counts = { timers: 0, promises: 0, resources: 0, socketWrites: 0, statements: 0 };

const hook = createHook({
  init(_id, type) {
    if (type === 'Timeout' || type === 'Immediate') counted.timers++;
    else if (type === 'PROMISE') counted.promises++;
    else counted.resources++;
  },
});

let isPatched = false;

/** Hooks slow a process down and allocate: read bytes only while nothing is counted. */
function startCounting(): void {
  if (!isPatched) patch();
  isPatched = true;
  Object.assign(counted, { timers: 0, promises: 0, resources: 0, socketWrites: 0, statements: 0 });
  hook.enable();
}

function counts(): Counts {
  hook.disable();
  return { ...counted };
}

/** Bytes allocated on the JavaScript heap since the process started. */
function allocated(): number {
  return (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes;
}

function patch(): void {
  const socket = Socket.prototype as unknown as Record<'_write' | '_writev', (...given: unknown[]) => unknown>;
  for (const name of ['_write', '_writev'] as const) {
    const write = socket[name];
    socket[name] = function (this: unknown, ...given) {
      counted.socketWrites++;
      return write.apply(this, given);
    };
  }
  const client = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown };
  const { query } = client;
  client.query = function (...given) {
    counted.statements++;
    return query.apply(this, given);
  };
}

export interface Usage {
  /** CPU of all threads since the process started, in µs. */
  cpu: number;
  /** The main thread's part of it. */
  mainThreadCpu: number;
  /** Monotonic clock of the machine, in µs. */
  at: number;
}

/** Bytes. */
export interface Memory {
  rss: number;
  /** After a full collection: JavaScript objects and their buffers. */
  live: number;
}

const PROFILE_INTERVAL_US = 250;
/** Bytes between two samples. */
const HEAP_PROFILE_INTERVAL = 4096;
const profiler = new Session();

function usage(): Usage {
  const all = process.cpuUsage();
  const main = process.threadCpuUsage();
  return {
    cpu: all.user + all.system,
    mainThreadCpu: main.user + main.system,
    at: Number(process.hrtime.bigint() / 1000n),
  };
}

function rss(): number {
  return process.memoryUsage.rss();
}

/** Twice, since the first collection only queues finalizers. */
async function collectedMemory(): Promise<Memory> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await new Promise((resolve) => setTimeout(resolve, 100));
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external };
}

async function startProfile(): Promise<void> {
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL_US });
  await profiler.post('Profiler.start');
}

async function writeProfile(file: string): Promise<void> {
  const { profile } = await profiler.post('Profiler.stop');
  profiler.disconnect();
  await writeFile(file, JSON.stringify(profile));
}

async function startHeapProfile(): Promise<void> {
  profiler.connect();
  await profiler.post('HeapProfiler.enable');
  const options = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await profiler.post('HeapProfiler.startSampling', { samplingInterval: HEAP_PROFILE_INTERVAL, ...options });
}

async function writeHeapProfile(file: string): Promise<void> {
  const { profile } = await profiler.post('HeapProfiler.stopSampling');
  profiler.disconnect();
  await writeFile(file, JSON.stringify(profile));
}

// Only this program: its forks have IPC channels of their own.
const at = process.execArgv.indexOf(import.meta.url);
if (at > 0) process.execArgv.splice(at - 1, 2);

answerQuestions({
  usage,
  rss,
  collectedMemory,
  startProfile,
  writeProfile,
  startHeapProfile,
  writeHeapProfile,
  allocated,
  startCounting,
  counts,
});
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
