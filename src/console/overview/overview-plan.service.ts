import { Injectable } from '@nestjs/common';
import type { PlanContents } from '../../billing/plan.types.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { Model } from '../../models/model.types.js';
import { ModelHealthService } from '../models/model-health.service.js';
import { toUserPlanView } from '../users/user.view.js';
import type { OverviewView } from './dto/overview.dto.js';

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
    const [held, plans, healths] = await Promise.all([
      this.plans.currentOf([userId]),
      this.definitions.list(),
      this.healths.all(),
    ]);
    const current = held.get(userId);
    if (!current) throw new Error(`the user ${userId} has no plan`);
    const mine = this.callableWith(current.plan);
    const rankOf = ({ id }: Model) => healths.get(id)?.suggestionRank ?? Number.POSITIVE_INFINITY;
    const chats = mine.filter(({ kind }) => kind === 'chat').toSorted((a, b) => rankOf(a) - rankOf(b));
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
