import { Injectable } from '@nestjs/common';
import { PlansService } from '../../billing/plans.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { OverviewView } from './dto/overview.dto.js';

const PRO = 'pro';

/** Somebody's plan, and what the pro plan would add to it. */
@Injectable()
export class OverviewPlanService {
  constructor(
    private readonly plans: PlansService,
    private readonly catalog: CatalogService,
  ) {}

  async of(userId: string): Promise<Pick<OverviewView, 'plan' | 'proAdds' | 'exampleModel'>> {
    const [held, plans] = await Promise.all([this.plans.currentOf([userId]), this.plans.list()]);
    const current = held.get(userId);
    if (!current) throw new Error(`the user ${userId} has no plan`);
    const { plan, since, until } = current;
    const mine = this.callableWith(plan.tiers);
    const had = new Set(mine.map(({ id }) => id));
    const pro = this.callableWith(plans.find(({ id }) => id === PRO)?.tiers ?? []);
    return {
      plan: {
        id: plan.id,
        name: plan.name,
        since: since?.toISOString() ?? null,
        until: until?.toISOString() ?? null,
      },
      proAdds: pro.filter(({ id }) => !had.has(id)).map(({ id, displayName }) => ({ id, displayName })),
      exampleModel: mine.toSorted((a, b) => a.usdPerMTok.output - b.usdPerMTok.output)[0]?.id ?? null,
    };
  }

  private callableWith(tiers: readonly string[]) {
    return this.catalog.list({ plan: { id: '', tiers: new Set(tiers) }, models: null });
  }
}
