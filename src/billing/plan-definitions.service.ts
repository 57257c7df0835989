import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { NotFoundError, UsageError } from '../common/usage.error.js';
import { notifyAllCallersChanged, notifyCallerChanged } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { type LimitChange, type LimitSettings, NO_LIMITS } from '../limits/values/limit-values.js';
import { LimitValuesService } from '../limits/values/limit-values.service.js';
import { PlanEntity } from './plan.entity.js';
import { DEFAULT_PLAN, type NewPlan, type PlanChange, type PlanDetails } from './plan.types.js';

type Fields = Pick<PlanEntity, 'name' | 'tiers' | 'models' | 'rank'>;
type FieldName = keyof Fields;

/** The definitions of plans. A change applies to every user of the plan within a second. */
@Injectable()
export class PlanDefinitionsService {
  constructor(
    @InjectRepository(PlanEntity) private readonly plans: Repository<PlanEntity>,
    private readonly limits: LimitValuesService,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
  ) {}

  /** Every plan, by rank, lowest first. */
  async list(): Promise<PlanDetails[]> {
    const plans = await this.plans.find({ order: { rank: 'ASC' } });
    const limits = await this.limits.of(
      'plan',
      plans.map(({ id }) => id),
    );
    return plans.map((plan) => toDetails(plan, limits.get(plan.id)?.values));
  }

  /** Throws a `NotFoundError` if it does not exist. */
  async get(planId: string): Promise<PlanDetails> {
    return this.detailsOf(await this.find(this.plans.manager, planId), this.plans.manager);
  }

  async create(
    { id, name = id, tiers = [], models = [], rank, limits = {} }: NewPlan,
    actor: Actor,
  ): Promise<PlanDetails> {
    planRules.id(id);
    const fields = { name: planRules.name(name), tiers: unique(tiers), models: unique(models), guards: [] };
    planRules.contents(fields);
    return this.plans.manager.transaction(async (manager) => {
      await manager.query('LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE');
      const others = await manager.find(PlanEntity);
      if (others.some((other) => other.id === id)) throw new UsageError(`There is already a plan '${id}'.`, 'id');
      const plan = {
        ...fields,
        id,
        rank: rank ?? Math.max(...others.map((other) => other.rank)) + 10,
        retiredAt: null,
      };
      planRules.rank(plan, others);
      await manager.insert(PlanEntity, plan);
      const set = await this.limits.change(manager, { scope: 'plan', subject: id }, withoutTotal(limits));
      const after = { ...fields, rank: plan.rank, ...set?.after };
      await this.audit.record(manager, actor, { action: 'plan.create', target: targetOf(plan), after });
      return this.detailsOf(plan, manager);
    });
  }

  async update(planId: string, change: PlanChange, actor: Actor): Promise<PlanDetails> {
    const { limits = {}, retired, ...fields } = change;
    return this.plans.manager.transaction(async (manager) => {
      await manager.query('LOCK TABLE plans IN SHARE ROW EXCLUSIVE MODE');
      const plan = await this.find(manager, planId);
      const changed = await this.changedFields(manager, plan, fields);
      const set = await this.limits.change(manager, { scope: 'plan', subject: planId }, withoutTotal(limits));
      const names = Object.keys(changed) as FieldName[];
      if (names.length > 0) await manager.update(PlanEntity, { id: planId }, changed);
      const next = { ...plan, ...changed };
      if (names.length > 0 || set) {
        const was = Object.fromEntries(names.map((name) => [name, plan[name]]));
        const before = { ...was, ...set?.before };
        const after = { ...changed, ...set?.after };
        await this.audit.record(manager, actor, { action: 'plan.update', target: targetOf(next), before, after });
        // A new rank can move users to another plan.
        if (changed.rank === undefined) await notifyCallerChanged(manager, 'plan', planId);
        else await notifyAllCallersChanged(manager);
      }
      if (retired !== undefined) await this.setRetired(manager, next, retired, actor);
      return this.detailsOf(next, manager);
    });
  }

  private async changedFields(
    manager: EntityManager,
    plan: PlanEntity,
    { name, tiers, models, rank }: Partial<Fields>,
  ): Promise<Partial<Fields>> {
    const input: Fields = {
      name: name === undefined ? plan.name : planRules.name(name),
      tiers: tiers ? unique(tiers) : plan.tiers,
      models: models ? unique(models) : plan.models,
      rank: rank ?? plan.rank,
    };
    planRules.contents(input);
    const names = (Object.keys(input) as FieldName[]).filter((field) => !isSame(input[field], plan[field]));
    if (names.includes('rank')) planRules.rank({ ...input, id: plan.id }, await manager.find(PlanEntity));
    return Object.fromEntries(names.map((field) => [field, input[field]]));
  }

  /** Also changes `plan`. */
  private async setRetired(manager: EntityManager, plan: PlanEntity, retired: boolean, actor: Actor): Promise<void> {
    if (retired === (plan.retiredAt !== null)) return;
    if (plan.id === DEFAULT_PLAN) throw new UsageError('The default plan cannot be retired.', 'retired');
    plan.retiredAt = retired ? this.clock.date() : null;
    await manager.update(PlanEntity, { id: plan.id }, { retiredAt: plan.retiredAt });
    const action = retired ? 'plan.retire' : 'plan.reinstate';
    await this.audit.record(manager, actor, { action, target: targetOf(plan) });
  }

  private async find(manager: EntityManager, id: string): Promise<PlanEntity> {
    const plan = await manager.findOneBy(PlanEntity, { id });
    if (!plan) throw new NotFoundError('The plan does not exist.');
    return plan;
  }

  private async detailsOf(plan: PlanEntity, manager: EntityManager): Promise<PlanDetails> {
    const { values } = await this.limits.get('plan', plan.id, manager);
    return toDetails(plan, values);
  }
}

function toDetails({ retiredAt, ...plan }: PlanEntity, limits: LimitSettings = {}): PlanDetails {
  const isDefault = plan.id === DEFAULT_PLAN;
  return { ...plan, isDefault, isRetired: retiredAt !== null, limits: { ...NO_LIMITS, ...limits } };
}

function targetOf({ id, name }: Pick<PlanEntity, 'id' | 'name'>) {
  return { kind: 'plan', id, name } as const;
}

/** Users can get a plan several times, for a limited time, so total budgets belong to users and keys. */
function withoutTotal(change: LimitChange): LimitChange {
  const { budgetTotalNanodollars: total } = change;
  if (total === undefined || total === null) return change;
  throw new UsageError(
    'A plan can have daily and monthly budgets only. Total budgets are for users and keys.',
    'limits.budgetTotalUsd',
  );
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const MAX_NAME_LENGTH = 40;
const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_RANK = 1_000_000;

/** Rules for a plan's fields; each throws a `UsageError` that names the field. */
export const planRules = {
  id(id: string): void {
    if (ID.test(id)) return;
    throw new UsageError("A plan's id must have 1 to 40 characters: a-z, 0-9, - and _, such as 'team-a'.", 'id');
  },

  name(input: string): string {
    const name = input.trim();
    if (name !== '' && name.length <= MAX_NAME_LENGTH && !CONTROL_CHARACTER.test(name)) return name;
    throw new UsageError(`A plan's name must have 1 to ${MAX_NAME_LENGTH} characters on one line.`, 'name');
  },

  contents({ tiers, models }: Pick<PlanEntity, 'tiers' | 'models'>): void {
    if (tiers.length + models.length > 0) return;
    throw new UsageError('A plan must include at least one tier or model.', 'tiers');
  },

  rank({ id, rank }: Pick<PlanEntity, 'id' | 'rank'>, plans: readonly Pick<PlanEntity, 'id' | 'rank'>[]): void {
    if (id === DEFAULT_PLAN) throw new UsageError('The default plan always ranks below all others.', 'rank');
    if (!Number.isInteger(rank) || rank < 1 || rank > MAX_RANK) {
      throw new UsageError(`A plan's rank must be a whole number from 1 to ${MAX_RANK}.`, 'rank');
    }
    const other = plans.find((plan) => plan.id !== id && plan.rank === rank);
    if (other) throw new UsageError(`The plan '${other.id}' already has the rank ${rank}.`, 'rank');
  },
};
