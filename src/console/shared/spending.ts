import type { UsageTotals } from '../../usage/usage.types.js';

const NANODOLLARS = 1e9;
const NOTHING: UsageTotals = { calls: 0, costNanodollars: 0n };

/** This month's spending in the views of keys and users; without totals it is zero. */
export function toSpending({ calls, costNanodollars }: UsageTotals = NOTHING) {
  return { costNanodollars: String(costNanodollars), costUsd: Number(costNanodollars) / NANODOLLARS, calls };
}
