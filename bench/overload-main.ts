/**
 * `npm run bench -- overload`: what a gateway gives to callers who request more than it can serve. First measures the
 * calls a second at full load, then offers twice and five times as many; exits with 1 if a promise is broken.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArrivalFigures, ArrivalPlan } from './arrivals.ts';
import { Child } from './child.ts';
import type { LoadFigures, LoadPlan } from './load.ts';
import { OVERLOAD_HELP, type OverloadOptions, parseOverloadOptions } from './overload-options.ts';
import { type Overload, type OverloadRun, ratiosOf, toOverloadTable } from './overload-table.ts';
import { pin } from './pinning.ts';
import { median } from './quantiles.ts';
import { prepare, type Setting } from './setting.ts';

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
  if (overload.runs.some((run) => !ratiosOf(overload, run).isKept)) process.exitCode = 1;
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
  const turns: LoadFigures[] = [];
  for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
    const figures = await fullLoad();
    if (figures.errors > 0) throw new Error(`${figures.errors} wrong answers, the first: ${figures.firstError}`);
    if (turn >= 0) turns.push(figures);
  }
  const capacity = median(turns.map(({ requests, seconds }) => requests / seconds));
  const p99Ms = median(turns.map((figures) => figures.p99Ms));
  const runs: OverloadRun[] = [];
  for (const factor of FACTORS) {
    const plan: ArrivalPlan = { port, key, callsPerSecond: capacity * factor, seconds, rampSeconds: RAMP_SECONDS };
    const figures = await arrivals.ask<ArrivalFigures>('run', plan);
    await sleep(Math.max(0, RECOVERY_MS - figures.tailMs));
    runs.push({ factor, seconds, arrivals: figures, after: await fullLoad() });
  }
  return { capacity, p99Ms, runs };
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
