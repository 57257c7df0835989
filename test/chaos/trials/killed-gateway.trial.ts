import { setTimeout as sleep } from 'node:timers/promises';
import { lostInBooks } from '../support/books.js';
import { SteadyCalls } from '../support/steady-calls.js';
import type { Trial } from '../support/trial.js';

/** kill -9 of one gateway: only its running calls end with it, and the ledger is correct afterwards. */
export const killedGateway: Trial = {
  name: 'a gateway killed under load',
  run: async (fleet, isLong) => {
    const { id, key } = await fleet.createKey({ budgetTotalUsd: 1000, concurrentCalls: 1000 });
    const load = SteadyCalls.begin(fleet, 100, { key, tokens: 10, ms: 20 });
    const beside = SteadyCalls.begin(fleet, 20, { key, tokens: 10, ms: 200, stream: true, at: fleet.gateway(0).url });
    for (let round = 0; round < (isLong ? 6 : 1); round++) {
      await sleep(2000);
      await fleet.killOne(1 + (round % 2));
    }
    await sleep(1000);
    const [through, direct] = await Promise.all([load.end(), beside.end()]);
    const lost = await lostInBooks(fleet, id, through.answered + direct.answered);
    const of = `${through.answered + direct.answered} answered calls, beside ${through.lost.length} that ended with it`;
    return { of, lost: [...direct.lost, ...lost] };
  },
};
