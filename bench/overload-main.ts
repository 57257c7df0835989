/**
 * `npm run bench -- overload`: what a gateway gives to callers who request more than it can serve. Measures the calls a
 * second at full load, offers twice and five times as many, and measures full load again after each, as a shared machine
 * may be faster or slower by then. Exits with 1 if a promise is broken.
 */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ArrivalFigures, ArrivalPlan } from './arrivals.ts';
import { Child } from './child.ts';
import { pin, prepare, type Setting } from './gateway.ts';
import type { LoadFigures, LoadPlan } from './load.ts';
import { median } from './measure.ts';

interface OverloadOptions {
  /** How long each overload lasts. */
  seconds: number;
  /** `overload.maxCalls` of the gateway; null: as shipped. */
  maxCalls: number | null;
  pin: boolean;
  json: boolean;
}

const OVERLOAD_HELP = `npm run bench -- overload [options]
  --seconds N    how long each overload lasts (default 30)
  --max-calls N  set \`overload.maxCalls\` (default: as in config/gateway.yaml)
  --pin          pin the gateway with all its threads to one processor and the load to another
  --json         one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
function parseOverloadOptions(words: string[]): OverloadOptions {
  const { values } = parseArgs({
    args: words,
    options: {
      seconds: { type: 'string', default: '30' },
      'max-calls': { type: 'string' },
      pin: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { seconds, 'max-calls': maxCalls, pin, json } = values;
  return {
    seconds: toCount('seconds', seconds),
    maxCalls: maxCalls === undefined ? null : toCount('max-calls', maxCalls),
    pin,
    json,
  };
}

function toCount(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
  return value;
}

/** The promise covers twice the load; higher loads are only reported. */
const PROMISED_FACTOR = 2;
const REQUIRED_GOODPUT = 0.6;
const REQUIRED_P99 = 10;
const REQUIRED_RECOVERED = 0.8;

interface Overload {
  runs: OverloadRun[];
}

interface OverloadRun {
  /** Arrivals as a multiple of full load. */
  factor: number;
  seconds: number;
  arrivals: ArrivalFigures;
  /** Turns at full load. */
  before: LoadFigures[];
  /** The first of these begins a second after the last arrival. */
  after: LoadFigures[];
}

export interface OverloadRatios {
  /** Calls a second at full load: the median of the turns before and after. */
  capacity: number;
  p99Ms: number;
  goodput: number;
  p99: number;
  recovered: number;
  isRetained: boolean;
}

function rateOf({ requests, seconds }: LoadFigures): number {
  return requests / seconds;
}

/** `goodput`, `p99` and `recovered`, the first turn after it, are multiples of full load. */
function ratiosOf({ factor, seconds, arrivals, before, after }: OverloadRun): OverloadRatios {
  const [first] = after;
  const turns = [...before, ...after];
  const capacity = median(turns.map(rateOf));
  const p99Ms = median(turns.map((turn) => turn.p99Ms));
  const goodput = arrivals.served / seconds / capacity;
  const p99 = arrivals.p99Ms / p99Ms;
  const recovered = (first ? rateOf(first) : 0) / capacity;
  const isPromised = factor <= PROMISED_FACTOR;
  const isRetained =
    [arrivals, ...turns].every(({ errors }) => errors === 0) &&
    (!isPromised || (goodput >= REQUIRED_GOODPUT && p99 <= REQUIRED_P99 && recovered >= REQUIRED_RECOVERED));
  return { capacity, p99Ms, goodput, p99, recovered, isRetained };
}

function toOverloadTable({ runs }: Overload): string {
  return [row('', 'calls/s', 'p99 ms', 'ratio', 'wanted', 'verdict'), ...runs.flatMap(rowsOf)].join('\n');
}

function rowsOf(run: OverloadRun): string[] {
  const { factor, seconds, arrivals, before, after } = run;
  const [first] = after;
  const { capacity, p99Ms, goodput, p99, recovered } = ratiosOf(run);
  const isPromised = factor <= PROMISED_FACTOR;
  const judged = (ratio: number, isWithin: boolean, required: string): string[] => [
    ratio.toFixed(2),
    ...(isPromised ? [required, isWithin ? 'ok' : 'MISSED'] : []),
  ];
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  const loads = [arrivals, ...before, ...after];
  const wrong = loads.reduce((sum, { errors }) => sum + errors, 0);
  return [
    row('full load, before and after', capacity.toFixed(0), p99Ms.toFixed(1)),
    row('  its slowest and fastest turn', ...slowestAndFastest([...before, ...after])),
    row(`${factor} × for ${seconds} s`, perSecond(arrivals.arrived)),
    row(
      '  served',
      perSecond(arrivals.served),
      '',
      ...judged(goodput, goodput >= REQUIRED_GOODPUT, `≥ ${REQUIRED_GOODPUT}`),
    ),
    row(
      '  p99 of those served',
      '',
      arrivals.p99Ms.toFixed(1),
      ...judged(p99, p99 <= REQUIRED_P99, `≤ ${REQUIRED_P99}`),
    ),
    row('  turned away', perSecond(arrivals.shed)),
    ...(arrivals.unsent > 0 ? [row('  not sent: too many were waiting', perSecond(arrivals.unsent))] : []),
    row('  last answer after the last arrival', '', arrivals.tailMs.toFixed(0)),
    row(
      '  full load, a second later',
      (recovered * capacity).toFixed(0),
      first?.p99Ms.toFixed(1) ?? '',
      ...judged(recovered, recovered >= REQUIRED_RECOVERED, `≥ ${REQUIRED_RECOVERED}`),
    ),
    row('  wrong answers', String(wrong), '', '', '0', wrong === 0 ? 'ok' : 'FAILED'),
    ...loads.flatMap(({ firstError }) => (firstError === null ? [] : [`    ${firstError}`])).slice(0, 1),
  ];
}

function slowestAndFastest(turns: LoadFigures[]): [string, string] {
  const rates = turns.map(rateOf);
  return [Math.min(...rates).toFixed(0), Math.max(...rates).toFixed(0)];
}

function row(title: string, ...cells: string[]): string {
  return `${title.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`.trimEnd();
}

const FACTORS = [2, 5];
/** At full load, as in the bench's own table. */
const CONNECTIONS = 64;
const WARM_UP_TURNS = 6;
const TURNS = 5;
const TURN_SECONDS = 2;
/** Overload builds up over this time, so that callers have keep-alive connections by then, like those of SDKs. */
const RAMP_SECONDS = 3;
/** Normal operation must be restored by then. */
const RECOVERY_MS = 1000;

const options = readOptions(process.argv.slice(2));
const configDir = configOf(options);
const setting = await prepare(
  { quick: true, json: options.json, profile: false, pin: options.pin, paceMs: 10 },
  { CONFIG_DIR: configDir },
);
const arrivals = new Child(path.join(import.meta.dirname, 'arrivals.ts'));
if (setting.pinning) pin(arrivals.pid, setting.pinning.load);
try {
  const overload = await measureOverload(setting, options.seconds);
  console.log(options.json ? JSON.stringify(overload, null, 2) : toOverloadTable(overload));
  if (overload.runs.some((run) => !ratiosOf(run).isRetained)) process.exitCode = 1;
} finally {
  await Promise.all([arrivals.stop(), setting.stop()]);
  rmSync(configDir, { recursive: true, force: true });
}

async function measureOverload({ gateway, driver }: Setting, seconds: number): Promise<Overload> {
  const { port, key } = gateway;
  const fullLoad = async (): Promise<LoadFigures> => {
    const plan: LoadPlan = {
      port,
      key,
      connections: CONNECTIONS,
      request: 'json',
      upstream: 'openai',
      format: 'openai',
    };
    await driver.load.ask('open', plan);
    const figures = await driver.load.ask<LoadFigures>('run', { seconds: TURN_SECONDS, rampMs: 0 });
    await driver.load.ask('close');
    return figures;
  };
  const turnsOfFullLoad = async (count: number): Promise<LoadFigures[]> => {
    const turns: LoadFigures[] = [];
    while (turns.length < count) turns.push(await fullLoad());
    return turns;
  };
  const wrong = (await turnsOfFullLoad(WARM_UP_TURNS)).find(({ errors }) => errors > 0);
  if (wrong) throw new Error(`${wrong.errors} wrong answers while warming up, the first: ${wrong.firstError}`);
  const runs: OverloadRun[] = [];
  let before = await turnsOfFullLoad(TURNS);
  for (const factor of FACTORS) {
    const callsPerSecond = factor * median(before.map(rateOf));
    const plan: ArrivalPlan = { port, key, callsPerSecond, seconds, rampSeconds: RAMP_SECONDS };
    const figures = await arrivals.ask<ArrivalFigures>('run', plan);
    await sleep(Math.max(0, RECOVERY_MS - figures.tailMs));
    const after = await turnsOfFullLoad(TURNS);
    runs.push({ factor, seconds, arrivals: figures, before, after });
    before = after;
  }
  return { runs };
}

/** A copy of the shipped files with the measured settings. */
function configOf({ maxCalls }: OverloadOptions): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-config-'));
  cpSync(path.join(import.meta.dirname, '../config'), folder, { recursive: true });
  const file = path.join(folder, 'gateway.yaml');
  if (maxCalls) writeFileSync(file, readFileSync(file, 'utf8').replace('# maxCalls: null', `maxCalls: ${maxCalls}`));
  return folder;
}

function readOptions(words: string[]): OverloadOptions {
  try {
    return parseOverloadOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${OVERLOAD_HELP}`);
    process.exit(2);
  }
}
