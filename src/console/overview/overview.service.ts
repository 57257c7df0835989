import { Injectable } from '@nestjs/common';
import type { User } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { ClockService } from '../../database/clock.service.js';
import { UsageTotalsService } from '../../usage/reports/usage-totals.service.js';
import { RecentErrorsService } from '../../usage/requests/recent-errors.service.js';
import type { RecentError } from '../../usage/usage.types.js';
import { adminOnly } from '../shared/console.errors.js';
import { UpstreamsViewService } from '../upstreams/upstreams-view.service.js';
import { UsageLabelsService } from '../usage/usage-labels.service.js';
import type { FirstCallView, OverviewErrorView, OverviewQuery, OverviewView } from './dto/overview.dto.js';
import { OverviewPlanService } from './overview-plan.service.js';
import { OverviewSpansService } from './overview-spans.service.js';

const ERRORS_SHOWN = 10;

/** The start page's numbers. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly totals: UsageTotalsService,
    private readonly errors: RecentErrorsService,
    private readonly keys: ApiKeysService,
    private readonly plans: OverviewPlanService,
    private readonly spans: OverviewSpansService,
    private readonly labels: UsageLabelsService,
    private readonly upstreams: UpstreamsViewService,
    private readonly clock: ClockService,
  ) {}

  async of({ id, role }: User, { zone, scope }: OverviewQuery): Promise<OverviewView> {
    if (scope === 'all' && role !== 'admin') throw adminOnly();
    const now = this.clock.date();
    const owner = scope === 'all' ? null : id;
    const [first, keys, plan, today, month, recentErrors, failing] = await Promise.all([
      this.totals.firstSuccessOf(id),
      this.keys.countActiveByUser([id]),
      this.plans.of(id),
      this.spans.of('day', owner, zone, now),
      this.spans.of('month', owner, zone, now),
      this.errors.list({ userId: owner, limit: ERRORS_SHOWN }),
      role === 'admin' ? this.upstreams.failing() : [],
    ]);
    return {
      hasCalledSuccessfully: first !== null,
      firstCallAt: first?.at ?? null,
      hasKey: keys.has(id),
      ...plan,
      failing,
      today,
      month,
      recentErrors: await this.toErrorViews(recentErrors),
    };
  }

  async firstCallOf({ id }: User): Promise<FirstCallView> {
    const first = await this.totals.firstSuccessOf(id);
    return { done: first !== null, at: first?.at ?? null, model: first?.model ?? null };
  }

  private async toErrorViews(errors: readonly RecentError[]): Promise<OverviewErrorView[]> {
    const [keyOf, userOf] = await Promise.all([
      this.labels.ofKeys(errors.flatMap(({ keyId }) => keyId ?? [])),
      this.labels.ofUsers(errors.flatMap(({ userId }) => userId ?? [])),
    ]);
    return errors.map(({ keyId, userId, ...error }) => ({
      ...error,
      keyName: keyId && keyOf(keyId).label,
      userName: userId && userOf(userId).label,
    }));
  }
}
