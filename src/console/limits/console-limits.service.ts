import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import type { UserLimits } from '../../billing/limit-values.types.js';
import { UserLimitsService } from '../../billing/user-limits.service.js';
import { type LimitWishes, type ShownLimits, toLimitChange, toShownLimits } from '../../common/limit-values.js';
import { ClockService } from '../../database/clock.service.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import { toSpending } from '../spending.js';
import type { BudgetView, UserLimitsView } from './dto/user-limits.view.js';

/** What limits a user, as the console shows and sets it. */
@Injectable()
export class ConsoleLimitsService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: UserLimitsService,
    private readonly totals: UsageTotalsService,
    private readonly clock: ClockService,
  ) {}

  async of(userId: string): Promise<UserLimitsView> {
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.get(id));
  }

  async set(userId: string, wishes: LimitWishes, actor: Actor): Promise<UserLimitsView> {
    const change = toLimitChange(wishes, { allowsPlan: true, fieldOf: String });
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.set(id, change, actor));
  }

  private async toView(userId: string, { own, plan, values }: UserLimits): Promise<UserLimitsView> {
    return {
      own: toShownLimits(own, 'plan' as const),
      plan: toShownLimits(plan),
      values: toShownLimits(values),
      budgets: await this.budgetsOf(userId, toShownLimits(values)),
    };
  }

  private async budgetsOf(userId: string, values: ShownLimits): Promise<BudgetView[]> {
    const now = this.clock.date();
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
    const periods = [
      ['day', values.budgetDayUsd, Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
      ['month', values.budgetMonthUsd, Date.UTC(year, month), Date.UTC(year, month + 1)],
      ['total', values.budgetTotalUsd, 0, null],
    ] as const;
    const budgets = periods.map(async ([period, amountUsd, from, to]) => {
      if (amountUsd === null) return [];
      const { costUsd: spentUsd } = toSpending((await this.totals.byUser([userId], new Date(from))).get(userId));
      return [{ period, amountUsd, spentUsd, resetsAt: to === null ? null : new Date(to).toISOString() }];
    });
    return (await Promise.all(budgets)).flat();
  }
}
