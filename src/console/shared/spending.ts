import type { UsageTotals } from '../../usage/usage.types.js';

const NANODOLLARS = 1e9;
const NOTHING: UsageTotals = { calls: 0, costNanodollars: 0n };

/** US dollars as a number, for views. */
export function toDollars(nanodollars: bigint | number): number {
  return Number(nanodollars) / NANODOLLARS;
}

/** The exact cost, and the same in dollars. */
export function toCost(nanodollars: bigint): { costNanodollars: string; costUsd: number } {
  return { costNanodollars: String(nanodollars), costUsd: toDollars(nanodollars) };
}

/** This month's spending in the views of keys and users; without totals it is zero. */
export function toSpending({ calls, costNanodollars }: UsageTotals = NOTHING) {
  return { ...toCost(costNanodollars), calls };
}
