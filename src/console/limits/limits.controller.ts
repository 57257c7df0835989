import { Body, Get, Injectable, Param, Patch } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { ClockService } from '../../database/clock.service.js';
import { LevelsService, UncountedBudgetsService } from '../../limits/budget-levels.service.js';
import { BudgetRefusalsService, uncoveredUsd } from '../../limits/budget-watch.service.js';
import { UserLimitsService } from '../../limits/settings/limit-settings.service.js';
import {
  type LimitInputs,
  type ShownLimits,
  toLimitChange,
  toShownLimits,
  type UserLimits,
  utcPeriodOf,
} from '../../limits/values/limit-values.js';
import { UsageTotalsService } from '../../usage/usage-totals.service.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentActor, CurrentSession } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { UserLimitsDto } from '../shared/fields.js';
import { toSpending } from '../shared/views.js';
import { type BudgetView, rateViews, UserLimitsView } from './limits.view.js';

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

/** A user's limits, as shown and set in the console. */
@Injectable()
export class ConsoleLimitsService {
  constructor(
    private readonly users: UsersService,
    private readonly limits: UserLimitsService,
    private readonly use: LimitUseService,
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
    const useOf = await this.use.of('user', new Map([[userId, shown]]));
    return {
      own: toShownLimits(own, 'plan' as const),
      plan: toShownLimits(plan),
      values: shown,
      ...useOf(userId),
    };
  }
}

@ConsoleController('limits', 'Limits', ['usage.read', 'own'])
export class LimitsController {
  constructor(private readonly limits: ConsoleLimitsService) {}

  @Get()
  @Returns(UserLimitsView, 'Your limits, for all your keys together')
  get(@CurrentSession() { user }: Session): Promise<UserLimitsView> {
    return this.limits.of(user.id);
  }
}

@ConsoleController('users/:id/limits', 'Limits', ['users.read', 'all'])
export class UserLimitsController {
  constructor(private readonly limits: ConsoleLimitsService) {}

  @Get()
  @Returns(UserLimitsView, 'A user’s limits, for all keys together')
  get(@Param('id') id: string): Promise<UserLimitsView> {
    return this.limits.of(id);
  }

  @Patch()
  @Access(['limits.write', 'all'])
  @Returns(UserLimitsView, "Set a user's own limits and budgets, which replace the plan's; effective within a second")
  set(@Param('id') id: string, @Body() body: UserLimitsDto, @CurrentActor() actor: Actor): Promise<UserLimitsView> {
    return this.limits.set(id, body, actor);
  }
}
