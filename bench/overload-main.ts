/**
 * `npm run bench -- overload`: what a gateway gives to callers who request more than it can serve. Measures the calls a
 * second at full load, offers twice and five times as many, and measures full load again after each, as a shared machine
 * may be faster or slower by then. Exits with 1 if a promise is broken.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArrivalFigures, ArrivalPlan } from './arrivals.ts';
import { Child } from './child.ts';
import type { LoadFigures, LoadPlan } from './load.ts';
import { OVERLOAD_HELP, type OverloadOptions, parseOverloadOptions } from './overload-options.ts';
import { type Overload, type OverloadRun, rateOf, ratiosOf, toOverloadTable } from './overload-table.ts';
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
  if (overload.runs.some((run) => !ratiosOf(run).isKept)) process.exitCode = 1;
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
