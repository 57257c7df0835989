import type { ShownLimits } from '../../common/limit-values.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { toSpending } from '../spending.js';
import type { BudgetView } from './dto/user-limits.view.js';

/** What each of these has used since then. */
type UsedSince = (ids: readonly string[], from: Date) => Promise<ReadonlyMap<string, UsageTotals>>;

/** The budgets among limits, by whose they are, with what is spent of them. Without budgets nothing is looked up. */
export async function budgetViews(
  limits: ReadonlyMap<string, ShownLimits>,
  now: Date,
  used: UsedSince,
): Promise<ReadonlyMap<string, BudgetView[]>> {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const periods = [
    ['day', 'budgetDayUsd', Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    ['month', 'budgetMonthUsd', Date.UTC(year, month), Date.UTC(year, month + 1)],
    ['total', 'budgetTotalUsd', 0, null],
  ] as const;
  const found = await Promise.all(
    periods.map(async ([period, name, from, to]) => {
      const amounts = [...limits].flatMap(([id, values]) =>
        values[name] === null ? [] : [[id, values[name]] as const],
      );
      if (amounts.length === 0) return [];
      const ids = amounts.map(([id]) => id);
      const spent = await used(ids, new Date(from));
      const resetsAt = to === null ? null : new Date(to).toISOString();
      return amounts.map(([id, amountUsd]) => {
        const { costUsd: spentUsd } = toSpending(spent.get(id));
        return { id, budget: { period, amountUsd, spentUsd, resetsAt } };
      });
    }),
  );
  const views = new Map<string, BudgetView[]>();
  for (const { id, budget } of found.flat()) views.set(id, [...(views.get(id) ?? []), budget]);
  return views;
}
