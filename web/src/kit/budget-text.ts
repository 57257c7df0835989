import type { Budget } from '../api/limits';
import { formatUsd } from './numbers';

type Spent = Pick<Budget, 'amountUsd' | 'spentUsd' | 'calculating'>;

/** "$4.25 of $5.00 · $0.75 left", "$5.01 of $5.00 · exceeded by $0.01", "Calculating…" */
export function budgetText({ amountUsd, spentUsd, calculating }: Spent): string {
  if (calculating) return 'Calculating…';
  const left = amountUsd - spentUsd;
  const rest = left < 0 ? `exceeded by ${formatUsd(-left)}` : `${formatUsd(left)} left`;
  return `${formatUsd(spentUsd)} of ${formatUsd(amountUsd)} · ${rest}`;
}
