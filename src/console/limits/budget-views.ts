import { type BudgetRefusalsService, uncoveredUsd } from '../../limits/budget-refusals.service.js';
import type { ShownLimits } from '../../limits/values/limit-values.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { toSpending } from '../shared/spending.js';
import type { BudgetView } from './dto/user-limits.view.js';

/** The spending of each owner since that time. */
type UsedSince = (ids: readonly string[], from: Date) => Promise<ReadonlyMap<string, UsageTotals>>;

/** The periods of each owner's budgets that do not include the earlier spending yet. */
type UncountedOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly BudgetView['period'][]>>;

interface Sources {
  readonly used: UsedSince;
  readonly uncounted: UncountedOf;
  /** The smallest reservation that each budget has refused. */
  readonly refused: BudgetRefusalsService['of'];
}

/** The budgets among the limits with their spending, by owner. Makes no queries if there are no budgets. */
export async function budgetViews(
  limits: ReadonlyMap<string, ShownLimits>,
  now: Date,
  { used, uncounted, refused }: Sources,
): Promise<ReadonlyMap<string, BudgetView[]>> {
  const periods = [
    ['day', 'budgetDayUsd', utcPeriodOf('day', now)],
    ['month', 'budgetMonthUsd', utcPeriodOf('month', now)],
    ['total', 'budgetTotalUsd', { from: new Date(0), to: null }],
  ] as const;
  const found = await Promise.all(
    periods.map(async ([period, name, { from, to: resetsAt }]) => {
      const amounts = [...limits].flatMap(([id, values]) =>
        values[name] === null ? [] : [[id, values[name]] as const],
      );
      if (amounts.length === 0) return [];
      const ids = amounts.map(([id]) => id);
      const [spent, calculated, least] = await Promise.all([used(ids, from), uncounted(ids), refused(ids)]);
      return amounts.map(([id, amountUsd]) => {
        const { costUsd: spentUsd } = toSpending(spent.get(id));
        const calculating = calculated.get(id)?.includes(period) ?? false;
        const uncovered = uncoveredUsd(least.get(id)?.[period], amountUsd, spentUsd);
        return { id, budget: { period, amountUsd, spentUsd, uncoveredUsd: uncovered, calculating, resetsAt } };
      });
    }),
  );
  const views = new Map<string, BudgetView[]>();
  for (const { id, budget } of found.flat()) views.set(id, [...(views.get(id) ?? []), budget]);
  return views;
}
