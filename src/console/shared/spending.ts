import type { UsageTotals } from '../../usage/usage.types.js';

const NANODOLLARS = 1e9;
const NOTHING: UsageTotals = { calls: 0, costNanodollars: 0n };

/** What the views of keys and users say of this month; without totals nothing was spent. */
export function toSpending({ calls, costNanodollars }: UsageTotals = NOTHING) {
  return { costNanodollars: String(costNanodollars), costUsd: Number(costNanodollars) / NANODOLLARS, calls };
}
