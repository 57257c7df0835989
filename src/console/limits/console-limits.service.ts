import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { ClockService } from '../../database/clock.service.js';
import { BudgetRefusalsService } from '../../limits/budget-refusals.service.js';
import { LevelsService } from '../../limits/levels.service.js';
import { UserLimitsService } from '../../limits/settings/user-limits.service.js';
import { UncountedBudgetsService } from '../../limits/uncounted-budgets.service.js';
import { type LimitInputs, toLimitChange, toShownLimits } from '../../limits/values/limit-values.js';
import type { UserLimits } from '../../limits/values/limit-values.types.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import { budgetViews } from './budget-views.js';
import type { UserLimitsView } from './dto/user-limits.view.js';
import { rateViews } from './rate-views.js';

/** A user's limits, as shown and set in the console. */
@Injectable()
export class ConsoleLimitsService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: UserLimitsService,
    private readonly levels: LevelsService,
    private readonly totals: UsageTotalsService,
    private readonly uncounted: UncountedBudgetsService,
    private readonly refusals: BudgetRefusalsService,
    private readonly clock: ClockService,
  ) {}

  async of(userId: string): Promise<UserLimitsView> {
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.get(id));
  }

  async set(userId: string, inputs: LimitInputs, actor: Actor): Promise<UserLimitsView> {
    const change = toLimitChange(inputs, { allowsPlan: true, fieldOf: String });
    const { id } = await this.users.get(userId);
    return this.toView(id, await this.limits.set(id, change, actor));
  }

  private async toView(userId: string, { own, plan, values }: UserLimits): Promise<UserLimitsView> {
    const shown = toShownLimits(values);
    const sources = {
      used: this.totals.byUser.bind(this.totals),
      uncounted: this.uncounted.of.bind(this.uncounted),
      refused: this.refusals.of.bind(this.refusals),
    };
    const [budgets, levels] = await Promise.all([
      budgetViews(new Map([[userId, shown]]), this.clock.date(), sources),
      this.levels.of(new Map([[userId, shown]])),
    ]);
    return {
      own: toShownLimits(own, 'plan' as const),
      plan: toShownLimits(plan),
      values: shown,
      budgets: budgets.get(userId) ?? [],
      rates: rateViews(levels.get(userId), this.clock.now()),
    };
  }
}
