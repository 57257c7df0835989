import { beforeAll, expect, it } from '@jest/globals';
import { isEstimated, isOwed, type Reckoned, reckon, sumOf } from './reckoning.js';
import { tables } from './report.js';
import { type Run, simulate } from './simulation.js';

const REQUESTS = Number(process.env.CHARGES_REQUESTS ?? 1000);
const SEED = Number(process.env.CHARGES_SEED ?? 20_261_122);

let run: Run;
let reckoned: Reckoned[];

beforeAll(async () => {
  process.stdout.write(`seed ${SEED}, ${REQUESTS} requests\n`);
  run = await simulate(SEED, REQUESTS);
  reckoned = reckon(run);
  process.stdout.write(`\n${tables(run, reckoned)}\n`);
}, 1_800_000);

it('every caller is charged at least 95 % of what the provider bills', () => {
  const owed = reckoned.filter(isOwed);
  const low = run.callers.flatMap(({ name }, index) => {
    const own = owed.filter(({ request }) => request.caller === index);
    const share = sumOf(own, (one) => one.charged) / sumOf(own, (one) => one.billed);
    return share < 0.95 ? [`${name}: ${share}`] : [];
  });
  expect(low).toEqual([]);
});

it('what was reported is charged', () => {
  const wrong = reckoned.filter((one) => isOwed(one) && !isEstimated(one) && one.charged !== one.billed);
  expect(wrong.map(told)).toEqual([]);
});

function told({ request, row, paid, charged, billed }: Reckoned): string {
  return JSON.stringify({ wish: request.wish, seen: request.called.seen, row, paid, charged, billed });
}
