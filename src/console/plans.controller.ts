import { Body, Delete, Get, Injectable, Param, Patch, Post, Query } from '@nestjs/common';
import type { Session, User } from '../accounts/user.types.js';
import { UsersService } from '../accounts/users.service.js';
import type { Actor } from '../audit/audit.types.js';
import type { PlanChange, PlanDetails } from '../billing/plan.types.js';
import { PlanDefinitionsService } from '../billing/plan-definitions.service.js';
import { type HolderSort, PlanHoldersService } from '../billing/plan-holders.service.js';
import { PlansService } from '../billing/plans.service.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { toLimitChange, toShownLimits } from '../limits/values/limit-values.js';
import { CatalogService } from '../models/catalog.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentActor, CurrentSession } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { toOrder } from './shared/lists.js';
import {
  CreatePlanDto,
  GrantedPlanView,
  GrantPlanDto,
  PlanHoldersQuery,
  PlanHoldersView,
  PlansView,
  PlanView,
  type TierView,
  UpdatePlanDto,
} from './shared/plan.view.js';

type Contents = Pick<PlanDetails, 'tiers' | 'models'>;

const NOTHING: Contents = { tiers: [], models: [] };

/** Plans with their users and models. */
@Injectable()
export class ConsolePlansService {
  constructor(
    private readonly plans: PlansService,
    private readonly holding: PlanHoldersService,
    private readonly definitions: PlanDefinitionsService,
    private readonly users: UsersService,
    private readonly catalog: CatalogService,
  ) {}

  async list({ user, rights }: Session): Promise<PlansView> {
    const counts = rights.mayAll('plans.read') ? this.plans.userCounts() : null;
    const [plans, users, mine] = await Promise.all([this.definitions.list(), counts, this.grantedTo(user.id)]);
    const tiers = lowestFirst(this.tiers(), plans);
    const views = plans.map((plan) => this.toPlanView(plan, users && (users.get(plan.id) ?? 0)));
    if (users) return { plans: views, tiers, mine };
    const seen = views.filter(({ id, isRetired }) => !isRetired || id === mine.plan.id);
    return { plans: seen.map((view) => (view.id === mine.plan.id ? view : { ...view, limits: null })), tiers, mine };
  }

  async get(id: string, session: Session): Promise<PlanView> {
    const plan = (await this.list(session)).plans.find((one) => one.id === id);
    if (!plan) throw new NotFoundError('There is no plan with this id.');
    return plan;
  }

  async holders(planId: string, { q, sort, cursor = '', limit }: PlanHoldersQuery): Promise<PlanHoldersView> {
    const question = { text: q, cursor: cursor || null, limit, ...toOrder<HolderSort>(sort) };
    const { holders, next } = await this.holding.page(planId, question);
    const users = await this.users.byId(holders.map(({ userId }) => userId));
    const items = holders.flatMap((holder) => {
      const user = users.get(holder.userId);
      if (!user) return [];
      const { email, name, kind, projectId, disabledAt } = user;
      return [{ ...holder, email, name, kind, projectId, disabled: disabledAt !== null }];
    });
    return { items, next };
  }

  async grant(userId: string, { planId, until }: GrantPlanDto, actor: Actor): Promise<GrantedPlanView> {
    const { id } = await this.holder(userId);
    await this.plans.grant(id, planId, until ? new Date(until) : null, 'console', actor);
    return this.grantedTo(id);
  }

  async revoke(userId: string, actor: Actor): Promise<GrantedPlanView> {
    const { id } = await this.holder(userId);
    await this.plans.revoke(id, actor);
    return this.grantedTo(id);
  }

  async granted(userId: string): Promise<GrantedPlanView> {
    return this.grantedTo((await this.holder(userId)).id);
  }

  /** A user, including those that represent a project. */
  private async holder(userId: string): Promise<User> {
    const user = await this.users.findOwner(userId);
    if (!user) throw new NotFoundError('The user does not exist.');
    return user;
  }

  async create({ id, ...body }: CreatePlanDto, actor: Actor): Promise<PlanView> {
    this.checkContents(body, NOTHING);
    const plan = await this.definitions.create({ id, ...toChange(body) }, actor);
    return this.toPlanView(plan, 0);
  }

  async update(planId: string, { retired, ...body }: UpdatePlanDto, actor: Actor): Promise<PlanView> {
    this.checkContents(body, await this.definitions.get(planId));
    const plan = await this.definitions.update(planId, { ...toChange(body), retired }, actor);
    return this.toPlanView(plan, (await this.plans.userCounts()).get(planId) ?? 0);
  }

  /** A model that is no longer in the catalog may stay in a plan, but cannot be added. */
  private checkContents({ tiers = [], namedModels = [] }: UpdatePlanDto, present: Contents): void {
    const knownTiers = new Set([...present.tiers, ...this.tiers().map(({ id }) => id)]);
    const tier = tiers.findIndex((id) => !knownTiers.has(id));
    if (tier >= 0) throw new UsageError('No model of the catalog has this tier.', `tiers[${tier}]`);
    const model = namedModels.findIndex((name) => !present.models.includes(name) && !this.catalog.find(name));
    if (model >= 0) throw new UsageError('The catalog has no such model.', `namedModels[${model}]`);
  }

  private toPlanView({ models, limits, ...plan }: PlanDetails, users: number | null): PlanView {
    const rights = { id: plan.id, tiers: new Set(plan.tiers), models: new Set(models) };
    const opened = this.catalog.list({ plan: rights, models: null });
    return { ...plan, namedModels: models, models: opened.length, users, limits: toShownLimits(limits) };
  }

  private async grantedTo(userId: string): Promise<GrantedPlanView> {
    const granted = (await this.plans.currentOf([userId])).get(userId);
    if (!granted) throw new Error('a user without a plan');
    const { id, name } = granted.plan;
    return { ...granted, plan: { id, name } };
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

function toChange({ name, tiers, namedModels: models, rank, limits = {} }: UpdatePlanDto): PlanChange {
  return { name, tiers, models, rank, limits: toLimitChange(limits) };
}

/** Tiers of lower plans come before tiers of higher plans. */
function lowestFirst(tiers: readonly TierView[], plans: readonly PlanDetails[]): TierView[] {
  const rank = ({ id }: TierView) => {
    const first = plans.findIndex((plan) => plan.tiers.includes(id));
    return first < 0 ? plans.length : first;
  };
  return [...tiers].sort((a, b) => rank(a) - rank(b));
}

@ConsoleController('plans', 'Plans', ['plans.write', 'all'])
export class PlansController {
  constructor(private readonly plans: ConsolePlansService) {}

  @Get()
  @Access(['plans.read', 'own'])
  @Returns(PlansView, 'Every plan, and yours')
  list(@CurrentSession() session: Session): Promise<PlansView> {
    return this.plans.list(session);
  }

  @Post()
  @Returns(PlanView, 'Create a plan', { status: 201 })
  create(@Body() body: CreatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.create(body, actor);
  }

  @Get(':id')
  @Access(['plans.read', 'all'])
  @Returns(PlanView, 'One plan')
  get(@Param('id') id: string, @CurrentSession() session: Session): Promise<PlanView> {
    return this.plans.get(id, session);
  }

  @Get(':id/holders')
  @Access(['plans.read', 'all'])
  @Returns(PlanHoldersView, 'The present and future users of a plan, and what granted it')
  holders(@Param('id') id: string, @Query() query: PlanHoldersQuery): Promise<PlanHoldersView> {
    return this.plans.holders(id, query);
  }

  @Patch(':id')
  @Returns(PlanView, 'Change a plan, or retire it; effective within a second')
  update(@Param('id') id: string, @Body() body: UpdatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.update(id, body, actor);
  }
}

@ConsoleController('users/:id/plan', 'Plans', ['plans.write', 'all'])
export class UserPlanController {
  constructor(private readonly plans: ConsolePlansService) {}

  @Get()
  @Access(['users.read', 'all'])
  @Returns(GrantedPlanView, 'The plan of a user, or of the user that represents a project')
  get(@Param('id') id: string): Promise<GrantedPlanView> {
    return this.plans.granted(id);
  }

  @Post()
  @Returns(GrantedPlanView, 'Grant a user a plan from now on; granting it again sets a new end')
  grant(@Param('id') id: string, @Body() body: GrantPlanDto, @CurrentActor() actor: Actor): Promise<GrantedPlanView> {
    return this.plans.grant(id, body, actor);
  }

  @Delete()
  @Returns(GrantedPlanView, 'End every granted plan of a user; the default plan stays')
  revoke(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<GrantedPlanView> {
    return this.plans.revoke(id, actor);
  }
}
