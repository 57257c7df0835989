import { setTimeout as sleep } from 'node:timers/promises';
import { lostInBooks } from '../support/books.js';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Trial } from '../support/trial.js';

const SICK_MS = 15_000;

/** One gateway loses its database. It refuses calls quickly, so it has the fewest, and the proxy would send it more. */
export const withoutDatabase: Trial = {
  name: 'a gateway without its database',
  run: async (fleet, isLong) => {
    const { id, key } = await fleet.createKey({ budgetTotalUsd: 1000, concurrentCalls: 1000 });
    fleet.upstream.reset();
    const calls = SteadyCalls.begin(fleet, 40, { key, tokens: 10, ms: 50 }, 'lost');
    for (const outage of [() => fleet.wayOfLast.close(), async () => fleet.wayOfLast.vanish()]) {
      await sleep(5000);
      await outage();
      await sleep(isLong ? SICK_MS : SICK_MS / 3);
      fleet.wayOfLast.forget();
      await fleet.wayOfLast.open();
      await sleep(5000);
    }
    const { answered, lost: failed } = await calls.end();
    const repeated = fleet.upstream.calls - answered;
    const lost = await lostInBooks(fleet, id, answered);
    return {
      of: `${calls.calls} calls`,
      lost: [...failed, ...lost, ...(repeated > 0 ? [`${repeated} calls that were made twice`] : [])],
    };
  },
};
