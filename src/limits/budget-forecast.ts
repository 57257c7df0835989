import type { Budget } from './budgets.service.js';

const DAY_MS = 86_400_000;

type SpentBudget = Pick<Budget, 'period' | 'amountUsd' | 'spentUsd' | 'resetsAt'>;

export interface BudgetForecast {
  /** The expected spending at the end of the month; null for other periods. */
  readonly forecastUsd: number | null;
  /** When the budget will be used up; null if it resets before, or if that takes more than a year. */
  readonly runsOutAt: Date | null;
}

/** `usdPerDay`: the average of the last days; the forecast assumes that it continues. */
export function forecastOf(budget: SpentBudget, usdPerDay: number, now: Date): BudgetForecast {
  const { period, amountUsd, spentUsd, resetsAt } = budget;
  const daysLeft = resetsAt === null ? 365 : (Date.parse(resetsAt) - now.getTime()) / DAY_MS;
  const daysUntilSpent = Math.max(0, amountUsd - spentUsd) / usdPerDay;
  return {
    forecastUsd: period === 'month' ? spentUsd + usdPerDay * daysLeft : null,
    runsOutAt: daysUntilSpent < daysLeft ? new Date(now.getTime() + daysUntilSpent * DAY_MS) : null,
  };
}
