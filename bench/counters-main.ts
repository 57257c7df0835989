/**
 * `npm run bench -- counters`: what a request and a chunk cost apart from time; exits with 1 if a limit is exceeded.
 */

import { prepare, type Setting } from './gateway.ts';
import { measure, type Phase, phaseOf, type Sample, warmUp } from './measure.ts';
import type { Counts } from './probe.ts';

/** The cost of one request or chunk of a warm gateway, apart from time. */
export type Cost = Counts & { allocatedBytes: number };

interface Counted {
  title: string;
  unit: Phase['unit'];
  cost: Cost;
  limits: Cost;
}

/** The minimum of all turns counts, because other work can only add to it. */
const TURNS = 16;
const TURN_SECONDS = 0.4;

interface Load {
  phase: Phase['name'];
  /** Where requests are counted one by one, so that none shares a batch. */
  countedPhase: Phase['name'];
  warmUpAnswers: number;
  limits: Cost;
}

/**
 * Limits that a change may only exceed with a reason, a tenth above the measured values. Those of a request include the
 * process's background work, which grows with the machine's load.
 */
const LOADS: readonly Load[] = [
  {
    phase: 'json-64',
    countedPhase: 'json-1',
    warmUpAnswers: 8000,
    limits: { allocatedBytes: 54_500, timers: 12, promises: 39, resources: 13, socketWrites: 4.5, statements: 2.5 },
  },
  {
    phase: 'streams-200',
    countedPhase: 'streams-200',
    warmUpAnswers: 400,
    limits: { allocatedBytes: 4700, timers: 0.2, promises: 0.6, resources: 5, socketWrites: 1.1, statements: 0.1 },
  },
];

/** Counts a warm gateway's work for a request and for a chunk. */
async function count(setting: Setting): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const { phase: name, countedPhase, warmUpAnswers, limits } of LOADS) {
    const phase = phaseOf(name);
    await warmUp(setting.gateway, phase, setting.driver, warmUpAnswers);
    const cost = { allocatedBytes: await allocated(setting, phase), ...(await counts(setting, phaseOf(countedPhase))) };
    if (phase.unit === 'request' && cost.statements === 0) throw new Error('no statement of a request was counted');
    counted.push({ title: phase.title, unit: phase.unit, cost, limits });
  }
  return counted;
}

async function allocated({ gateway, driver }: Setting, phase: Phase): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    const before = await gateway.child.ask<number>('allocated');
    const sample = await measure(gateway, phase, driver, TURN_SECONDS);
    const after = await gateway.child.ask<number>('allocated');
    least = Math.min(least, (after - before) / unitsOf(phase, sample));
  }
  return least;
}

async function counts({ gateway, driver }: Setting, phase: Phase): Promise<Counts> {
  const least = {
    timers: Infinity,
    promises: Infinity,
    resources: Infinity,
    socketWrites: Infinity,
    statements: Infinity,
  };
  for (let turn = 0; turn < TURNS; turn++) {
    await gateway.child.ask('startCounting');
    const units = unitsOf(phase, await measure(gateway, phase, driver, TURN_SECONDS));
    const seen = await gateway.child.ask<Counts>('counts');
    for (const name of Object.keys(least) as (keyof Counts)[]) least[name] = Math.min(least[name], seen[name] / units);
  }
  return least;
}

function unitsOf({ unit }: Phase, { requests, events }: Sample): number {
  return unit === 'chunk' ? events : requests;
}

const setting = await prepare({ quick: true, json: false, profile: false, pin: true, paceMs: 10 });
try {
  const counted = await count(setting);
  console.log(counted.flatMap(toLines).join('\n'));
  if (counted.some(isOver)) process.exitCode = 1;
} finally {
  await setting.stop();
}

type CostName = keyof Counted['cost'];

function toLines({ title, unit, cost, limits }: Counted): string[] {
  const names = Object.keys(limits) as CostName[];
  const line = (name: CostName): string => {
    const digits = name === 'allocatedBytes' ? 0 : 2;
    const verdict = cost[name] > limits[name] ? '  OVER' : '';
    return `  ${name.padEnd(16)}${cost[name].toFixed(digits).padStart(9)}  ≤ ${limits[name]}${verdict}`;
  };
  return [`${title}, per ${unit}`, ...names.map(line)];
}

function isOver({ cost, limits }: Counted): boolean {
  return (Object.keys(limits) as CostName[]).some((name) => cost[name] > limits[name]);
}
