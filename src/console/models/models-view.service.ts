import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../../accounts/projects.service.js';
import type { Session } from '../../accounts/user.types.js';
import type { Plan } from '../../billing/plan.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { Model } from '../../models/model.types.js';
import { type ModelSpeed, ModelSpeedService } from '../../usage/model-activity.service.js';
import type { UsageSums } from '../../usage/usage.types.js';
import { UsageReportsService } from '../../usage/usage-reports.service.js';
import { ProjectAccessService } from '../projects/console-projects.service.js';
import { dayBefore } from '../shared/validation.js';
import { type ModelActivityView, type ModelView, toModelView } from './model.view.js';
import { ModelHealthService } from './model-health.service.js';

/** The catalog for a signed-in person: the models of the person's plan. */
@Injectable()
export class ModelsViewService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly plans: PlansService,
    private readonly projects: ProjectsService,
    private readonly access: ProjectAccessService,
    private readonly healths: ModelHealthService,
  ) {}

  async list({ user, rights }: Session): Promise<ModelView[]> {
    const { plan } = await this.plans.current(user.id);
    const shown = rights.mayAll('upstreams.read') ? this.catalog.all() : this.catalog.list({ plan, models: null });
    return this.toViews(shown, plan);
  }

  async ofProject(projectId: string, session: Session): Promise<ModelView[]> {
    await this.access.assertMay(projectId, session, 'projects.read');
    const { userId } = await this.projects.get(projectId);
    const { plan } = await this.plans.current(userId);
    return this.toViews(this.catalog.list({ plan, models: null }), plan);
  }

  private async toViews(models: readonly Model[], plan: Plan): Promise<ModelView[]> {
    const healths = await this.healths.all();
    return models.flatMap((model) => {
      const standing = healths.get(model.id);
      return standing ? [toModelView(model, this.catalog.obstacleTo(plan, model), standing)] : [];
    });
  }
}

const NOT_STREAMED = { calls: 0, p50FirstTokenMs: null, p95FirstTokenMs: null, tokensPerSecond: null };

/** Figures of each model from all users' requests of the last 24 hours. */
@Injectable()
export class ModelFiguresService {
  constructor(
    private readonly models: ModelsViewService,
    private readonly reports: UsageReportsService,
    private readonly speeds: ModelSpeedService,
    private readonly clock: ClockService,
  ) {}

  /** Of the models that the person can see; those without requests are left out. */
  async lately(session: Session): Promise<ModelActivityView[]> {
    const from = dayBefore(this.clock);
    const [models, sums, speeds] = await Promise.all([
      this.models.list(session),
      this.sumsSince(from),
      this.speeds.since(from),
    ]);
    return models.flatMap(({ id }) => {
      const ofModel = sums.get(id);
      return ofModel ? [toView(id, ofModel, speeds.get(id))] : [];
    });
  }

  /** From the roll-ups, page by page. */
  private async sumsSince(from: Date): Promise<Map<string, UsageSums>> {
    const span = { from, to: this.clock.date(), zone: 'UTC', granularity: 'hour' } as const;
    const found = new Map<string, UsageSums>();
    for (let page = 0, seen = 0, all = 1; seen < all; page++) {
      const { groups, groupCount } = await this.reports.groups({ ...span, groupBy: 'model', compare: false }, page);
      for (const { id, sums } of groups) if (id !== null) found.set(id, sums);
      seen += groups.length;
      all = groups.length === 0 ? seen : groupCount;
    }
    return found;
  }
}

function toView(
  id: string,
  sums: UsageSums,
  speed: ModelSpeed | typeof NOT_STREAMED = NOT_STREAMED,
): ModelActivityView {
  const { requests, succeeded, errors, refused } = sums;
  const { calls: streamed, ...times } = speed;
  return { id, requests, succeeded, errors, refused, streamed, ...times };
}
