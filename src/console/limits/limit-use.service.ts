import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { BudgetRefusalsService, uncoveredUsd } from '../../limits/budget-refusals.service.js';
import { LevelsService } from '../../limits/levels.service.js';
import { UncountedBudgetsService } from '../../limits/uncounted-budgets.service.js';
import type { ShownLimits } from '../../limits/values/limit-values.js';
import { utcPeriodOf } from '../../limits/values/utc-periods.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import { toSpending } from '../shared/spending.js';
import type { BudgetView, UserLimitsView } from './dto/user-limits.view.js';
import { rateViews } from './rate-views.js';

type LimitUse = Pick<UserLimitsView, 'budgets' | 'rates'>;

/** The budgets and rates of keys or users, with their current use. */
@Injectable()
export class LimitUseService {
  constructor(
    private readonly totals: UsageTotalsService,
    private readonly uncounted: UncountedBudgetsService,
    private readonly refusals: BudgetRefusalsService,
    private readonly levels: LevelsService,
    private readonly clock: ClockService,
  ) {}

  /** By the key's or user's id. Makes no queries if nothing is limited. */
  async of(kind: 'key' | 'user', limits: ReadonlyMap<string, ShownLimits>): Promise<(id: string) => LimitUse> {
    const [budgets, levels] = await Promise.all([this.budgets(kind, limits), this.levels.of(limits)]);
    return (id) => ({ budgets: budgets.get(id) ?? [], rates: rateViews(levels.get(id), this.clock.now()) });
  }

  private async budgets(kind: 'key' | 'user', limits: ReadonlyMap<string, ShownLimits>) {
    const now = this.clock.date();
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
        const [spent, uncounted, refused] = await Promise.all([
          kind === 'key' ? this.totals.byKey(ids, from) : this.totals.byUser(ids, from),
          this.uncounted.of(ids),
          this.refusals.of(ids),
        ]);
        return amounts.map(([id, amountUsd]) => {
          const { costUsd: spentUsd } = toSpending(spent.get(id));
          const calculating = uncounted.get(id)?.includes(period) ?? false;
          const uncovered = uncoveredUsd(refused.get(id)?.[period], amountUsd, spentUsd);
          return { id, budget: { period, amountUsd, spentUsd, uncoveredUsd: uncovered, calculating, resetsAt } };
        });
      }),
    );
    const views = new Map<string, BudgetView[]>();
    for (const { id, budget } of found.flat()) views.set(id, [...(views.get(id) ?? []), budget]);
    return views;
  }
}
