import { setTimeout as sleep } from 'node:timers/promises';
import { lostInBooks } from '../support/books.js';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Trial } from '../support/trial.js';

/** PostgreSQL stops without a checkpoint and recovers. Calls may get a 503, but every answered call is in the ledger. */
export const databaseCrash: Trial = {
  name: 'PostgreSQL crashes under load',
  run: async (fleet, isLong) => {
    const { id, key } = await fleet.createKey({ budgetTotalUsd: 1000, concurrentCalls: 1000 });
    const load = SteadyCalls.begin(fleet, 100, { key, tokens: 10, ms: 20 });
    for (let round = 0; round < (isLong ? 5 : 1); round++) {
      await sleep(2000);
      fleet.postgres.restart('immediate');
    }
    await sleep(isLong ? 20_000 : 2000);
    const { answered, lost: failed } = await load.end();
    const wrong = failed.filter((answer) => !answer.includes(': 503 '));
    const lost = await lostInBooks(fleet, id, answered);
    return { of: `${answered} answered calls, beside ${failed.length} that got a 503`, lost: [...wrong, ...lost] };
  },
};
