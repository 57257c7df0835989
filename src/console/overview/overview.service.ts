import { Injectable } from '@nestjs/common';
import type { Session, User } from '../../accounts/user.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import type { PlanContents } from '../../billing/plan.types.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { Model } from '../../models/model.types.js';
import { RecentErrorsService } from '../../usage/recent-errors.service.js';
import { UnpricedCallsService } from '../../usage/uncharged-costs.service.js';
import type { RecentError, UsageQuestion, UsageSums } from '../../usage/usage.types.js';
import { UsageReportsService } from '../../usage/usage-reports.service.js';
import { UsageTotalsService } from '../../usage/usage-totals.service.js';
import { ModelHealthService } from '../models/model-health.service.js';
import { toDollars } from '../shared/views.js';
import { UpstreamsViewService } from '../upstreams/upstreams-view.service.js';
import { UsageLabelsService, UsageScopeService } from '../usage/usage-scope.service.js';
import { toUserPlanView } from '../users/user.view.js';
import {
  currentSpan,
  type FirstCallView,
  type OverviewErrorView,
  type OverviewQuery,
  type OverviewSpanView,
  type OverviewTotalsView,
  type OverviewView,
  previousSpan,
  type Span,
} from './overview.view.js';

const PRO = 'pro';

/** A person's plan, and what the pro plan would add. */
@Injectable()
export class OverviewPlanService {
  constructor(
    private readonly plans: PlansService,
    private readonly definitions: PlanDefinitionsService,
    private readonly catalog: CatalogService,
    private readonly healths: ModelHealthService,
  ) {}

  async of(userId: string): Promise<Pick<OverviewView, 'plan' | 'proAdds' | 'exampleModel' | 'simulated'>> {
    const [granted, plans, healths] = await Promise.all([
      this.plans.currentOf([userId]),
      this.definitions.list(),
      this.healths.all(),
    ]);
    const current = granted.get(userId);
    if (!current) throw new Error(`the user ${userId} has no plan`);
    const mine = this.callableWith(current.plan);
    const rankOf = ({ id }: Model) => healths.get(id)?.suggestionRank ?? Number.POSITIVE_INFINITY;
    const isFailing = ({ id }: Model) => healths.get(id)?.health.status === 'failing';
    const chats = mine
      .filter((model) => model.kind === 'chat' && !isFailing(model))
      .toSorted((a, b) => rankOf(a) - rankOf(b));
    const had = new Set(mine.map(({ id }) => id));
    const pro = this.callableWith(plans.find(({ id }) => id === PRO));
    return {
      plan: toUserPlanView(current),
      proAdds: pro.filter(({ id }) => !had.has(id)).map(({ id, displayName }) => ({ id, displayName })),
      exampleModel: chats[0]?.id ?? null,
      simulated: mine.length > 0 && mine.every(({ simulated }) => simulated),
    };
  }

  private callableWith({ tiers, models }: Pick<PlanContents, 'tiers' | 'models'> = { tiers: [], models: [] }) {
    return this.catalog.list({ plan: { id: '', tiers: new Set(tiers), models: new Set(models) }, models: null });
  }
}

type Owners = readonly string[] | null;

const NOTHING: OverviewTotalsView = { requests: 0, succeeded: 0, refused: 0, errors: 0, tokens: 0, costUsd: 0 };

/** Totals of today or this month, and of the same part of the previous one. */
@Injectable()
export class OverviewSpansService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly unpriced: UnpricedCallsService,
    private readonly catalog: CatalogService,
  ) {}

  /** `owners`: whose calls; null for everyone's. */
  async of(unit: 'day' | 'month', owners: Owners, zone: string, now: Date): Promise<OverviewSpanView> {
    const span = currentSpan(unit, now, zone);
    const granularity = unit === 'day' ? 'hour' : 'day';
    const [current, before, unpricedCalls] = await Promise.all([
      this.reports.report(questionOf(span, owners, zone, granularity)),
      this.reports.report(questionOf(previousSpan(unit, now, zone), owners, zone, 'day')),
      this.unpriced.count({ ...span, ...filterOf(owners) }, this.catalog.unpriced()),
    ]);
    return {
      ...span,
      unpricedCalls,
      totals: toTotalsView(current.totals),
      previous: toTotalsView(before.totals),
      points: current.series.map(({ start, groups }) => ({
        start,
        ...(groups[0] ? toTotalsView(groups[0].sums) : NOTHING),
      })),
    };
  }
}

function questionOf(
  { from, to }: Span,
  owners: Owners,
  zone: string,
  granularity: UsageQuestion['granularity'],
): UsageQuestion {
  return { from, to, zone, granularity, groupBy: null, compare: false, ...filterOf(owners) };
}

function filterOf(owners: Owners): { users?: readonly string[] } {
  return owners === null ? {} : { users: owners };
}

function toTotalsView(sums: UsageSums): OverviewTotalsView {
  return {
    requests: sums.requests,
    succeeded: sums.succeeded,
    refused: sums.refused,
    errors: sums.errors,
    tokens: sums.inputTokens + sums.outputTokens,
    costUsd: toDollars(sums.costNanodollars),
  };
}

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
    private readonly scope: UsageScopeService,
  ) {}

  async of(session: Session, { zone, scope }: OverviewQuery): Promise<OverviewView> {
    const { user, rights } = session;
    const { id } = user;
    const now = this.clock.date();
    const owners = await this.scope.ownersIn(scope, session, 'usage.read');
    const [first, keys, plan, today, month, recentErrors, failing] = await Promise.all([
      this.totals.firstSuccessOf(id),
      this.keys.countActiveByUser([id]),
      this.plans.of(id),
      this.spans.of('day', owners, zone, now),
      this.spans.of('month', owners, zone, now),
      this.errors.list({ users: owners, limit: ERRORS_SHOWN }),
      rights.mayAll('upstreams.read') ? this.upstreams.failing() : [],
    ]);
    return {
      hasCalledSuccessfully: first !== null,
      hasCalled: first !== null || (await this.newestFailureOf(id)) !== null,
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
    const failure = first === null ? await this.newestFailureOf(id) : null;
    return { done: first !== null, at: first?.at ?? null, model: first?.model ?? null, failure };
  }

  private async newestFailureOf(userId: string): Promise<OverviewErrorView | null> {
    const [failure] = await this.toErrorViews(await this.errors.list({ users: [userId], limit: 1 }));
    return failure ?? null;
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
