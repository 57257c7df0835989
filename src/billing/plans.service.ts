import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type EntityManager,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  Not,
  Or,
  type Repository,
} from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { toCallerLimits } from '../limits/values/limit-values.service.js';
import { PlanEntity, PlanGrantEntity } from './plan.entity.js';
import { type CurrentPlan, DEFAULT_PLAN, type GrantedPlan, type PlanGrant, SYNCED_SOURCES } from './plan.types.js';
import {
  type CurrentPlanRow,
  END_GRANTS,
  type EndedGrantRow,
  FORGET_BUDGETS,
  lockUser,
  PLAN_OF_USER,
  PLANS_OF_USERS,
  type PlanOfUserRow,
  USERS_BY_PLAN,
} from './plan-statements.js';

interface NewGrant {
  readonly userId: string;
  readonly planId: string;
  /** Null: no end. */
  readonly until: Date | null;
  /** Who or what grants it: `console`. */
  readonly source: string;
}

/** Plans and their users. */
@Injectable()
export class PlansService {
  constructor(
    @InjectRepository(PlanEntity) private readonly plans: Repository<PlanEntity>,
    @InjectRepository(PlanGrantEntity) private readonly grants: Repository<PlanGrantEntity>,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
  ) {}

  /** Grants a plan from now on; a running grant of the same plan gets the new end. */
  async grant(userId: string, planId: string, until: Date | null, source: string, actor: Actor): Promise<PlanGrant> {
    const grant = { userId, planId, until, source };
    return this.grants.manager.transaction((manager) => this.grantWithin(manager, grant, actor));
  }

  /** In the caller's transaction. */
  async grantWithin(manager: EntityManager, grant: NewGrant, actor: Actor): Promise<PlanGrant> {
    const { userId, planId, until, source } = grant;
    const plan = await manager.findOneBy(PlanEntity, { id: planId });
    if (!plan) throw new UsageError(`There is no plan '${planId}'.`, 'planId');
    if (planId === DEFAULT_PLAN)
      throw new UsageError(`Every user has the plan '${planId}' by default; it cannot be granted.`, 'planId');
    const now = this.clock.date();
    if (until && until <= now) throw new UsageError('The end of a grant must be in the future.', 'until');
    const email = await lockUser(manager, userId);
    await assertHasOwnPlan(manager, userId);
    const [granted] = await manager.find(PlanGrantEntity, {
      where: running(userId, planId, now),
      order: { startsAt: 'ASC' },
    });
    if (plan.retiredAt && !granted) throw new UsageError(`The plan '${planId}' is retired.`, 'planId');
    const startsAt = granted?.startsAt ?? now;
    if (granted) await manager.update(PlanGrantEntity, running(userId, planId, now), { endsAt: until });
    else await manager.insert(PlanGrantEntity, { userId, planId, startsAt, endsAt: until, source });
    await this.audit.record(manager, actor, {
      action: granted ? 'plan.extend' : 'plan.grant',
      target: { kind: 'user', id: userId, name: email },
      before: granted ? { plan: planId, since: startsAt, until: granted.endsAt } : null,
      after: { plan: planId, since: startsAt, until },
    });
    await notifyCallerChanged(manager, 'user', userId);
    return { userId, planId, startsAt, endsAt: until };
  }

  /** Ends every present and future grant of the user; returns their number. */
  async revoke(userId: string, actor: Actor): Promise<number> {
    return this.grants.manager.transaction(async (manager) => {
      const email = await lockUser(manager, userId);
      const [ended]: [EndedGrantRow[]] = await manager.query(END_GRANTS, [userId]);
      for (const { plan_id: plan, since, until, ended_at: endedAt } of ended) {
        await this.audit.record(manager, actor, {
          action: 'plan.revoke',
          target: { kind: 'user', id: userId, name: email },
          before: { plan, since, until },
          after: { plan, since, until: endedAt },
        });
      }
      await notifyCallerChanged(manager, 'user', userId);
      return ended.length;
    });
  }

  /**
   * One query, so that looking up a caller needs one connection. If a budget applied before and the caller has no
   * limits any more, this is recorded before the next call, so that the spending of calls without a budget counts if a
   * budget is set again.
   */
  async current(userId: string, keyId: string | null = null): Promise<CurrentPlan> {
    const [row]: PlanOfUserRow[] = await this.plans.query(PLAN_OF_USER, [userId, keyId]);
    if (!row) throw new Error(`the plan '${DEFAULT_PLAN}' is missing`);
    const subjects = { userId, keyId, projectId: row.project_id, planUserId: row.holder };
    const limits = toCallerLimits(row.limits ?? [], subjects);
    const freed = row.budgeted.filter((one) => !limits.some(({ id }) => id === one) && !isOfOthers(row, userId, one));
    if (freed.length > 0) await this.plans.query(FORGET_BUDGETS, [freed]);
    return {
      project: row.project_id === null ? null : { id: row.project_id, userId: row.holder },
      plan: { id: row.id, tiers: new Set(row.tiers), models: new Set(row.models) },
      guards: row.guards,
      limits,
      changesAt: row.changes_at?.getTime() ?? null,
    };
  }

  /** The current plans of these users, in one query. */
  async currentOf(userIds: readonly string[]): Promise<Map<string, GrantedPlan>> {
    const rows: CurrentPlanRow[] = await this.plans.query(PLANS_OF_USERS, [userIds]);
    return new Map(rows.map(({ user_id: userId, ...row }) => [userId, toGrantedPlan(row)]));
  }

  /** Plan → its current number of users. */
  async userCounts(): Promise<Map<string, number>> {
    const rows: { id: string; users: number }[] = await this.plans.query(USERS_BY_PLAN);
    return new Map(rows.map(({ id, users }) => [id, users]));
  }
}

/** The budget of a project's plan. It applies to other callers of the project but not to this service account. */
function isOfOthers({ holder, limits }: PlanOfUserRow, userId: string, balance: string): boolean {
  return balance === holder && holder !== userId && (limits ?? []).some(({ scope }) => scope === 'plan');
}

/** Grants by people; grants that follow groups or payments cannot be changed here. */
function running(userId: string, planId: string, now: Date): FindOptionsWhere<PlanGrantEntity> {
  const endsAt = Or(IsNull(), MoreThan(now));
  return { userId, planId, startsAt: LessThanOrEqual(now), endsAt, source: Not(In(SYNCED_SOURCES)) };
}

function toGrantedPlan({ since, until, ...plan }: Omit<CurrentPlanRow, 'user_id'>): GrantedPlan {
  return { plan: { ...plan, isDefault: plan.id === DEFAULT_PLAN }, since, until };
}

async function assertHasOwnPlan(manager: EntityManager, userId: string): Promise<void> {
  const query = "SELECT 1 FROM users WHERE id = $1 AND kind = 'service' AND project_id IS NOT NULL";
  const found = await manager.query(query, [userId]);
  if (found.length > 0) throw new UsageError('A service account of a project has the plan of its project.');
}
