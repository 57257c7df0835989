import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import { BUDGET_PERIODS } from '../../ledger/call-record.types.js';
import { LevelsService } from '../../limits/budget-levels.service.js';
import { type Budget, BudgetsService } from '../../limits/budgets.service.js';
import { endOf } from '../../limits/limit.errors.js';
import { BUDGETS, type CallerLimit, LIMITS, type LimitScope, toShownLimits } from '../../limits/values/limit-values.js';
import { BudgetView, RateView, rateViews } from '../limits/limits.view.js';
import { KeyRightsService } from './key-rights.service.js';

const SCOPES = ['plan', 'user', 'project'] as const;

/** Limits that apply to a key besides its own. */
export class InheritedLimitsView {
  @ApiProperty({
    enum: SCOPES,
    description: '`plan`: the plan of its owner; `user`: its owner; `project`: its project. They count all their keys.',
  })
  scope!: LimitScope;

  @ApiProperty({ type: [BudgetView] })
  budgets!: BudgetView[];

  @ApiProperty({ type: [RateView] })
  rates!: RateView[];
}

@Injectable()
export class InheritedLimitsService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rights: KeyRightsService,
    private readonly plans: PlansService,
    private readonly budgets: BudgetsService,
    private readonly levels: LevelsService,
    private readonly clock: ClockService,
  ) {}

  /** By scope; those without limits are missing. */
  async of(keyId: string, session: Session): Promise<InheritedLimitsView[]> {
    const { userId } = await this.keys.get(await this.rights.refOf(keyId, session, 'keys.read'));
    const { limits } = await this.plans.current(userId);
    const idsOf = (isOf: (scope: LimitScope) => boolean) =>
      limits.filter(({ scope }) => isOf(scope)).map(({ id }) => id);
    const spent = await this.budgets.of({
      users: [...new Set(idsOf((scope) => scope !== 'project'))],
      projects: idsOf((scope) => scope === 'project'),
    });
    const views = await Promise.all(limits.map((limit) => this.toView(limit, spent)));
    return views.filter(({ budgets, rates }) => budgets.length + rates.length > 0);
  }

  private async toView(limit: CallerLimit, spent: readonly Budget[]): Promise<InheritedLimitsView> {
    const { scope, id, values } = limit;
    const levels = await this.levels.of(new Map([[id, values]]));
    return { scope, budgets: this.budgetsOf(limit, spent), rates: rateViews(levels.get(id), this.clock.now()) };
  }

  /** Budgets of a plan from which nothing was spent are not listed as such. */
  private budgetsOf({ scope, id, values }: CallerLimit, spent: readonly Budget[]): BudgetView[] {
    const shown = toShownLimits(values);
    return BUDGET_PERIODS.flatMap((period) => {
      const amountUsd = shown[LIMITS[BUDGETS[period]].shown];
      if (amountUsd === null) return [];
      const found = spent.find((one) => one.scope === scope && one.id === id && one.period === period);
      return [
        {
          period,
          amountUsd,
          spentUsd: found?.spentUsd ?? 0,
          uncoveredUsd: found?.uncoveredUsd ?? null,
          calculating: false,
          resetsAt: endOf(period, this.clock.date()),
        },
      ];
    });
  }
}
