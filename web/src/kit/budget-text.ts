import type { Budget } from '../api/limits';
import { formatUsdTogether } from './shared-decimals';

/** "The rest does not cover another call: one that reserves $0.0600 was refused."; null if it may. */
export function uncoveredText({
  amountUsd,
  spentUsd,
  uncoveredUsd,
}: Pick<Budget, 'amountUsd' | 'spentUsd' | 'uncoveredUsd'>) {
  if (uncoveredUsd === null || spentUsd >= amountUsd) return null;
  const [reserved] = formatUsdTogether([uncoveredUsd, amountUsd]);
  return `The rest does not cover another call: one that reserves ${reserved} was refused.`;
}

type Spent = Pick<Budget, 'amountUsd' | 'spentUsd' | 'calculating'>;

/** "$4.25 of $5.00 · $0.75 left", "$5.0012 of $5.0000 · exceeded by $0.0012", "Calculating…" */
export function budgetText({ amountUsd, spentUsd, calculating }: Spent): string {
  if (calculating) return 'Calculating…';
  const left = amountUsd - spentUsd;
  const [spent, amount, rest] = formatUsdTogether([spentUsd, amountUsd, Math.abs(left)]);
  return `${spent} of ${amount} · ${left < 0 ? `exceeded by ${rest}` : `${rest} left`}`;
}
