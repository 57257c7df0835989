import { setTimeout as sleep } from 'node:timers/promises';
import { type Called, type CallOptions, type Fleet } from '../../replicas/support/fleet.js';
import { budgetOf } from '../../replicas/support/fleet-books.js';
import { eventually } from '../../support/eventually.js';
import type { Trial } from '../support/trial.js';

const PLACES = 5;
const FREE_WITHIN_MS = 15_000;
const CONTACT_MS = 10_000;
const TOKENS = 1000;
/** The budget for this number of calls. */
const BUDGET_USD = PLACES * TOKENS * 1e-6;

/**
 * A gateway is paused with running calls: their slots and reservations soon become free for others, and are not taken
 * twice when it continues.
 */
export const vanishedHost: Trial = {
  name: 'a gateway that stands still and wakes',
  run: async (fleet) => {
    const lost: string[] = [];
    const { id, key } = await fleet.createKey({ concurrentCalls: PLACES, budgetTotalUsd: BUDGET_USD });
    // The process that closes its calls must have been in contact with the database for some time.
    await fleet.ranFor(CONTACT_MS);
    const [frozen, other] = [fleet.gateway(1), fleet.gateway(2)];
    fleet.upstream.reset();
    const locked = callsAt(fleet, PLACES, { key, at: frozen.url, tokens: TOKENS, ms: 120_000, stream: true });
    await eventually(() => fleet.upstream.underWay === PLACES);
    const requested = { key, at: other.url, tokens: TOKENS, ms: 0 };
    if ((await fleet.call(requested)).status !== 429) lost.push('a place was given twice');

    frozen.child.kill('SIGSTOP');
    const frozenAt = performance.now();
    let freeAfterMs = 0;
    try {
      await eventually(async () => {
        if ((await fleet.call({ ...requested, tokens: 1 })).status !== 200) return false;
        freeAfterMs = performance.now() - frozenAt;
        return true;
      }, 60_000);
      if (freeAfterMs > FREE_WITHIN_MS) lost.push(`places and money were free after ${freeAfterMs.toFixed(0)} ms`);
      const given = callsAt(fleet, PLACES - 1, { ...requested, tokens: TOKENS, ms: 8000, stream: true });
      await sleep(2000);
      frozen.child.kill('SIGCONT');
      await sleep(3000);
      if (fleet.upstream.underWay >= PLACES) lost.push(`${fleet.upstream.underWay} calls on ${PLACES} places`);
      lost.push(...(await given).filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body}`));
    } finally {
      frozen.child.kill('SIGCONT');
    }
    const ended = await locked;
    lost.push(...ended.filter(({ body }) => !body.includes('"error"')).map(() => 'a stream of the frozen one went on'));
    await eventually(async () => (await budgetOf(fleet, id)).reservedUsd === 0);
    const { faults } = await fleet.ledgerFaults();
    lost.push(...faults.map((fault) => JSON.stringify(fault)));
    return { of: `${PLACES} places and their money, free after ${(freeAfterMs / 1000).toFixed(1)} s`, lost };
  },
};

function callsAt(fleet: Fleet, count: number, options: CallOptions): Promise<Called[]> {
  return Promise.all(Array.from({ length: count }, () => fleet.call(options)));
}
