import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from '../../replicas/support/fleet.js';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Outcome, Trial } from '../support/trial.js';

const PROGRAM = resolve(import.meta.dirname, '../support/greedy-caller.child.ts');
const PER_SECOND = 20;
/** The share of calls that a key within its limits may lose. */
const MAX_LOST = 0.05;

/** One key sends as many calls as it can to one gateway, on more and more connections; another one sends few. */
export const greedyKey: Trial = {
  name: 'a key beside a greedy one',
  run: async (fleet, isLong) => {
    const outcomes = [];
    for (const connections of [320, 1500]) outcomes.push(await beside(fleet, connections, isLong ? 30_000 : 4000));
    return { of: outcomes.map(({ of }) => of).join('; '), lost: outcomes.flatMap(({ lost }) => lost) };
  },
};

async function beside(fleet: Fleet, connections: number, ms: number): Promise<Outcome> {
  const gateway = fleet.gateway(0);
  const [greedy, key] = await Promise.all(
    ['greedy', 'modest'].map((name) => gateway.createKey(`${name}-${connections}@example.com`)),
  );
  const child = fork(PROGRAM, [new URL(gateway.url).port, greedy ?? '', String(connections)], { execArgv: [] });
  await sleep(1000);
  const calls = SteadyCalls.begin(fleet, PER_SECOND, { key: key ?? '', tokens: 1, ms: 5, at: gateway.url }, 'lost');
  await sleep(ms);
  const { calls: count, lost } = await calls.end();
  child.send('end');
  const [reported] = (await once(child, 'message')) as [{ answered: number; refused: number }];
  const of =
    `${count} calls beside ${connections} connections of one key ` +
    `(${reported.answered} served, ${reported.refused} refused)`;
  return { of: `${of}, of which it may lose 5 %`, lost: lost.length > count * MAX_LOST ? lost : [] };
}
