import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import type { HeldPlan, PlanDetails } from '../../billing/plan.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { UsageError } from '../../common/usage.error.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { GrantPlanDto, UpdatePlanDto } from './dto/plan-requests.dto.js';
import type { HeldPlanView, PlanHolderView, PlansView, PlanView, TierView } from './dto/plan-view.dto.js';

/** Plans with the people who have them and the models that they open. */
@Injectable()
export class ConsolePlansService {
  constructor(
    private readonly plans: PlansService,
    private readonly users: UsersService,
    private readonly catalog: CatalogService,
  ) {}

  async list({ user }: Session): Promise<PlansView> {
    const counts = user.role === 'admin' ? this.plans.userCounts() : null;
    const [plans, users, mine] = await Promise.all([this.plans.list(), counts, this.heldBy(user.id)]);
    const tiers = lowestFirst(this.tiers(), plans);
    return { plans: plans.map((plan) => toPlanView(plan, tiers, users && (users.get(plan.id) ?? 0))), tiers, mine };
  }

  async holders(planId: string): Promise<PlanHolderView[]> {
    const [holders, users] = await Promise.all([this.plans.holders(planId), this.users.list()]);
    const byId = new Map(users.map((user) => [user.id, user]));
    return holders.flatMap((holder) => {
      const user = byId.get(holder.userId);
      return user ? [{ ...holder, email: user.email, name: user.name, disabled: user.disabledAt !== null }] : [];
    });
  }

  async grant(userId: string, { planId, until }: GrantPlanDto, actor: Actor): Promise<HeldPlanView> {
    const { id } = await this.users.get(userId);
    await this.plans.grant(id, planId, until ? new Date(until) : null, 'console', actor);
    return this.heldBy(id);
  }

  async revoke(userId: string, actor: Actor): Promise<HeldPlanView> {
    const { id } = await this.users.get(userId);
    await this.plans.revoke(id, actor);
    return this.heldBy(id);
  }

  async update(planId: string, { name, tiers }: UpdatePlanDto, actor: Actor): Promise<PlanView> {
    if (tiers) await this.checkTiers(planId, tiers);
    const change = { ...(name && { name: name.trim() }), ...(tiers && { tiers }) };
    const plan = await this.plans.update(planId, change, actor);
    return toPlanView(plan, this.tiers(), (await this.plans.userCounts()).get(planId) ?? 0);
  }

  /** A tier that the catalog does not have now may stay in a plan, but not come into it. */
  private async checkTiers(planId: string, tiers: readonly string[]): Promise<void> {
    const present = (await this.plans.list()).find(({ id }) => id === planId)?.tiers ?? [];
    const known = new Set([...present, ...this.tiers().map(({ id }) => id)]);
    const unknown = tiers.findIndex((tier) => !known.has(tier));
    if (unknown >= 0) throw new UsageError('No model of the catalog has this tier.', `tiers[${unknown}]`);
  }

  private async heldBy(userId: string): Promise<HeldPlanView> {
    const held = (await this.plans.currentOf([userId])).get(userId);
    if (!held) throw new Error('a user without a plan');
    return toHeldView(held);
  }

  /** In the order of the catalog. */
  private tiers(): TierView[] {
    const counts = new Map<string, number>();
    for (const { tier, simulated, targets } of this.catalog.all()) {
      const isServed = simulated || targets.length > 0;
      counts.set(tier, (counts.get(tier) ?? 0) + (isServed ? 1 : 0));
    }
    return [...counts].map(([id, models]) => ({ id, models }));
  }
}

function toPlanView(plan: PlanDetails, tiers: readonly TierView[], users: number | null): PlanView {
  const opened = tiers.filter(({ id }) => plan.tiers.includes(id));
  return { ...plan, models: opened.reduce((sum, { models }) => sum + models, 0), users };
}

function toHeldView({ plan: { id, name }, since, until }: HeldPlan): HeldPlanView {
  return { plan: { id, name }, since, until };
}

/** A tier that a lower plan opens comes before one of a higher plan. */
function lowestFirst(tiers: readonly TierView[], plans: readonly PlanDetails[]): TierView[] {
  const rank = ({ id }: TierView) => {
    const first = plans.findIndex((plan) => plan.tiers.includes(id));
    return first < 0 ? plans.length : first;
  };
  return [...tiers].sort((a, b) => rank(a) - rank(b));
}
