import type { Caller, Period } from './callers.js';
import type { LedgerRow, Run } from './simulation.js';

/** The number of characters of a date that name its period. */
const NAMED = { day: 10, month: 7, total: 0 } as const;

/** The cost of a caller's calls in one period, in nano-dollars. */
export interface Spent {
  readonly caller: string;
  readonly of: string;
  readonly cap: number;
  readonly cost: number;
  /** The cost of calls above their reservations. */
  readonly beyond: number;
}

/** By caller and period, of the calls that a budget admitted. */
export function spendings({ callers, requests, rows }: Run): Spent[] {
  const callerOf = new Map(requests.map(({ keyId, caller }) => [keyId, caller]));
  return callers.flatMap((caller, index) => {
    if (caller.period === null || caller.capUsd === null) return [];
    const own = rows.filter((row) => callerOf.get(row.key_id) === index && row.reserved !== null);
    const cap = Math.round(caller.capUsd * 1e9);
    return [...Map.groupBy(own, (row) => periodOf(row, caller.period))].map(([of, ones]) => ({
      caller: caller.name,
      of,
      cap,
      cost: sum(ones, (row) => Number(row.cost)),
      beyond: sum(ones, (row) => Math.max(0, Number(row.cost) - Number(row.reserved))),
    }));
  });
}

/** Calls that were admitted although their caller's budget had been seen spent. */
export function admittedTooLate({ callers, requests, rows, ranOut }: Run): string[] {
  const callerOf = new Map(requests.map(({ keyId, caller }) => [keyId, callers[caller]]));
  return rows.flatMap((row) => {
    const caller: Caller | undefined = callerOf.get(row.key_id);
    if (!caller || row.admitted_at === null || Number(row.reserved) === 0) return [];
    const end = ranOut.find(
      ({ userId, of }) =>
        userId === caller.userId && periodOf(row, caller.period) === of.slice(0, NAMED[caller.period ?? 'total']),
    );
    const isLate = end && Date.parse(row.admitted_at) > Date.parse(end.at) + 1;
    return isLate ? [`${caller.name}: admitted at ${row.admitted_at}, spent at ${end.at}`] : [];
  });
}

/** The day or month of its admission, depending on the budget's period. */
function periodOf({ admitted_at }: LedgerRow, period: Period | null): string {
  return new Date(admitted_at ?? 0).toISOString().slice(0, NAMED[period ?? 'total']);
}

function sum(rows: readonly LedgerRow[], amount: (row: LedgerRow) => number): number {
  return rows.reduce((total, row) => total + amount(row), 0);
}
