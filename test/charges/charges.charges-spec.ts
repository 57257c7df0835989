import { beforeAll, expect, it } from '@jest/globals';
import { type BilledRequest, isEstimated, isInterrupted, isOwed, sumOf, toBilledRequests } from './billed-requests.js';
import { admittedTooLate, spendings } from './budgets.js';
import { mixOf } from './mix.js';
import { tables } from './report.js';
import { MANY, type Run, simulate } from './simulation.js';

const REQUESTS = Number(process.env.CHARGES_REQUESTS ?? 1000);
const SEED = Number(process.env.CHARGES_SEED ?? 20_261_122);

const MIN = 0.95;
const MAX = 1.05;
/** For a caller with few answers, of which one that is estimated is a large part. */
const MIN_OF_FEW = 0.9;
/** The sum of all estimates in proportion to the actual usage. */
const MIN_ESTIMATED = 0.8;
const MAX_ESTIMATED = 1.5;

let run: Run;
let billedRequests: BilledRequest[];
let owed: BilledRequest[];

beforeAll(async () => {
  process.stdout.write(`${REQUESTS} requests, CHARGES_SEED=${SEED}\n`);
  run = await simulate(SEED, REQUESTS);
  billedRequests = toBilledRequests(run);
  owed = billedRequests.filter(isOwed);
  process.stdout.write(`\n${tables(run, billedRequests)}\n`);
}, 1_800_000);

it('callers are charged at least 95 % of the bill for delivered and aborted answers', () => {
  const least = REQUESTS < MANY ? MIN_OF_FEW : MIN;
  expect(shares(owed).filter(([, share]) => share < least)).toEqual([]);
  expect(shareOf(owed)).toBeGreaterThanOrEqual(MIN);
});

it('no caller is charged more than 5 % above the bill, except for estimates', () => {
  expect(shares(owed.filter((one) => !isEstimated(one))).filter(([, share]) => share > MAX)).toEqual([]);
});

it('the reported usage of a delivered answer is charged exactly to the nano-dollar', () => {
  const wrong = owed.filter(
    (one) => one.row?.status === 'settled' && !isEstimated(one) && Math.abs(one.charged - one.billed) > 1,
  );
  expect(wrong.map(describeRequest)).toEqual([]);
});

it('estimates are close to the actual usage on average', () => {
  const share = shareOf(owed.filter(isEstimated));
  expect(share).toBeGreaterThan(MIN_ESTIMATED);
  expect(share).toBeLessThan(MAX_ESTIMATED);
});

it('every billed answer has a row, and no request has two', () => {
  expect(owed.filter(({ row }) => row === null).map(describeRequest)).toEqual([]);
  expect(new Set(run.rows.map(({ key_id }) => key_id)).size).toBe(run.rows.length);
});

it('failed calls, lost hedges and retries cost nothing, and refused calls have no row', () => {
  const unpaid = billedRequests.filter((one) => one.paid === null && !isInterrupted(one));
  const failed = unpaid.filter(({ row }) => row?.status === 'failed');
  expect(failed.filter(({ charged }) => charged !== 0).map(describeRequest)).toEqual([]);
  expect(unpaid.filter(({ request, row }) => request.called.seen === 'refused' && row).map(describeRequest)).toEqual(
    [],
  );
  // A request may be on its way to the provider when its caller disconnects.
  expect(unpaid.filter(({ row, charged }) => charged > 0 && row?.status !== 'aborted').map(describeRequest)).toEqual(
    [],
  );
  expect(sumOf(unpaid, ({ charged }) => charged)).toBeLessThan(sumOf(owed, ({ charged }) => charged) / 100);
});

it('no budget is exceeded by more than the cost of its calls above their reservations', () => {
  const spent = spendings(run);
  expect(spent.length).toBeGreaterThan(0);
  expect(spent.filter(({ cost, cap, beyond }) => cost > cap + beyond)).toEqual([]);
});

it('no call is admitted while a budget is spent', () => {
  expect(admittedTooLate(run)).toEqual([]);
});

it('no reservation, slot or open row remains, and the ledger is consistent', () => {
  expect(run.balances.filter(({ running, reserved }) => running !== 0 || reserved !== '0')).toEqual([]);
  expect(run.rows.filter(({ status }) => status === 'open')).toEqual([]);
  expect(run.verdict).toMatchObject({ ok: true, calls: run.rows.length, waiting: 0, faults: [] });
});

it('all kinds of requests occurred', () => {
  expect(Object.entries(mixOf(run, billedRequests)).filter(([, times]) => times === 0)).toEqual([]);
});

/** The charge of each caller, as a share of the bill. */
function shares(ones: readonly BilledRequest[]): [string, number][] {
  return run.callers.flatMap(({ name }, index): [string, number][] => {
    const own = ones.filter(({ request }) => request.caller === index);
    return own.length === 0 ? [] : [[name, shareOf(own)]];
  });
}

function shareOf(ones: readonly BilledRequest[]): number {
  return sumOf(ones, ({ charged }) => charged) / sumOf(ones, ({ billed }) => billed);
}

function describeRequest({ request, row, paid, charged, billed }: BilledRequest): string {
  return JSON.stringify({ script: request.script, called: request.called, row, paid, charged, billed });
}
