import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditModule } from '../../audit/audit.module.js';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { BillingModule } from '../../billing/billing.module.js';
import { type CurrentPlanRow, lockUser, PLANS_OF_USERS } from '../../billing/plan-statements.js';
import { toUsd } from '../../common/text.js';
import { NotFoundError, UsageError } from '../../common/usage.error.js';
import { notifyCallerChanged } from '../../database/changes.service.js';
import {
  LIMIT_NAMES,
  LIMITS,
  type LimitChange,
  type LimitDifference,
  type LimitName,
  type LimitValues,
  limitField,
  NO_LIMITS,
  type OwnLimits,
  shownName,
  type UserLimits,
} from '../values/limit-values.js';
import { effectiveLimits, LimitValuesService } from '../values/limit-values.service.js';

/** The limits of users: a user's own values replace the plan's. */
@Injectable()
export class UserLimitsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly limits: LimitValuesService,
    private readonly audit: AuditService,
  ) {}

  async of(
    userIds: readonly string[],
    manager: Pick<EntityManager, 'query'> = this.dataSource,
  ): Promise<Map<string, UserLimits>> {
    const plans: CurrentPlanRow[] = await manager.query(PLANS_OF_USERS, [userIds]);
    const own = await this.limits.of('user', userIds, manager);
    const ofPlans = await this.limits.of('plan', [...new Set(plans.map(({ id }) => id))], manager);
    return new Map(
      plans.map(({ user_id: userId, id }) => {
        const values = own.get(userId)?.values ?? {};
        const plan = ofPlans.get(id)?.values ?? {};
        return [userId, { own: values, plan, values: effectiveLimits(plan, values) }];
      }),
    );
  }

  async get(userId: string, manager?: Pick<EntityManager, 'query'>): Promise<UserLimits> {
    const limits = (await this.of([userId], manager)).get(userId);
    if (!limits) throw new Error('a user without a plan');
    return limits;
  }

  async set(userId: string, change: LimitChange, actor: Actor): Promise<UserLimits> {
    return this.dataSource.transaction(async (manager) => {
      const email = await lockUser(manager, userId);
      const set = await this.limits.change(manager, { scope: 'user', subject: userId }, change);
      if (set) {
        const target = { kind: 'user', id: userId, name: email } as const;
        await this.audit.record(manager, actor, { action: 'user.limits', target, ...set });
        await notifyCallerChanged(manager, 'user', userId);
      }
      return this.get(userId, manager);
    });
  }
}

const LOCK = 'SELECT name, archived_at IS NOT NULL AS "isArchived" FROM projects WHERE id = $1 FOR UPDATE';

/** The limits of projects: all keys of a project count together. */
@Injectable()
export class ProjectLimitsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly limits: LimitValuesService,
    private readonly audit: AuditService,
  ) {}

  /** Projects without limits are missing. */
  of(projectIds: readonly string[]): Promise<Map<string, OwnLimits>> {
    return this.limits.of('project', projectIds);
  }

  get(projectId: string): Promise<OwnLimits> {
    return this.limits.get('project', projectId);
  }

  /** The limits of a user's project; null if the user belongs to none. */
  async ofUser(userId: string, manager: Pick<EntityManager, 'query'> = this.dataSource): Promise<LimitValues | null> {
    const query = 'SELECT project_id AS id FROM users WHERE id = $1 AND project_id IS NOT NULL';
    const [project]: { id: string }[] = await manager.query(query, [userId]);
    if (!project) return null;
    const own = await this.limits.get('project', project.id, manager);
    return { ...NO_LIMITS, ...own.values };
  }

  /** `binds`: an administrator sets the limits, and managers can only narrow them. Takes effect within a second. */
  async set(projectId: string, change: LimitChange, binds: boolean, actor: Actor): Promise<OwnLimits> {
    return this.dataSource.transaction((manager) => this.setWithin(manager, projectId, change, binds, actor));
  }

  /** In the caller's transaction. */
  async setWithin(
    manager: EntityManager,
    projectId: string,
    change: LimitChange,
    binds: boolean,
    actor: Actor,
  ): Promise<OwnLimits> {
    const [project]: { name: string; isArchived: boolean }[] = await manager.query(LOCK, [projectId]);
    if (!project) throw new NotFoundError('The project does not exist.');
    if (project.isArchived) throw new UsageError(`The project ${project.name} is archived and cannot be changed.`);
    const present = await this.limits.get('project', projectId, manager);
    if (!binds) checkWithinBounds(present, change, 'project');
    const set = await this.limits.change(manager, { scope: 'project', subject: projectId, binds }, change);
    if (!set) return present;
    const target = { kind: 'project', id: projectId, name: project.name } as const;
    await this.audit.record(manager, actor, { action: 'project.limits', target, ...set });
    await notifyCallerChanged(manager, 'project', projectId);
    return this.limits.get('project', projectId, manager);
  }
}

interface LimitedKey {
  readonly id: string;
  readonly userId: string;
}

@Injectable()
export class KeyLimitsService {
  constructor(
    private readonly limits: LimitValuesService,
    private readonly users: UserLimitsService,
    private readonly projects: ProjectLimitsService,
  ) {}

  /** The limits of each key; keys without any are missing. */
  of(keyIds: readonly string[]): Promise<Map<string, OwnLimits>> {
    return this.limits.of('key', keyIds);
  }

  /**
   * Runs in the transaction that has locked the key. `isOwner`: the change is by the owner or a manager of the project.
   * A change by anyone else binds them. Null: nothing changed.
   */
  async change(
    manager: EntityManager,
    { id, userId }: LimitedKey,
    change: LimitChange,
    isOwner: boolean,
  ): Promise<LimitDifference | null> {
    if (Object.keys(change).length === 0) return null;
    if (isOwner) await this.checkWithin(manager, { id, userId }, change);
    return this.limits.change(manager, { scope: 'key', subject: id, binds: !isOwner }, change);
  }

  /** Owners cannot exceed their own limits or those that others set for the key. */
  private async checkWithin(manager: EntityManager, { id, userId }: LimitedKey, change: LimitChange): Promise<void> {
    const own = await this.limits.get('key', id, manager);
    checkWithinBounds(own, change, 'key');
    const project = await this.projects.ofUser(userId, manager);
    const owner = await this.users.get(userId, manager);
    checkWithinOwner(own.values, change, owner.values, project ? 'plan' : 'self');
    if (project) checkWithinOwner(own.values, change, project, 'project');
  }
}

/** Throws a `UsageError` when a new value exceeds what an administrator set. */
function checkWithinBounds({ values, bounds }: OwnLimits, change: LimitChange, what: 'key' | 'project'): void {
  for (const [name, input] of changedLimits(values, change)) {
    const bound = bounds[name] ?? null;
    if (bound === null || (input !== null && input <= bound)) continue;
    throw beyond(name, `An administrator limited this ${what} to ${amountOf(name, bound)}: you can only narrow it.`);
  }
}

export type OwnerOfKey = 'self' | 'plan' | 'project';

const OWNERS: Readonly<Record<OwnerOfKey, readonly [string, string]>> = {
  self: ['Your own limit', 'your keys'],
  plan: ["The limit of the project's plan", "the project's keys"],
  project: ["The project's limit", 'its keys'],
};

/** Throws a `UsageError` when a new value of a key exceeds the limit of its owner. */
function checkWithinOwner(
  values: OwnLimits['values'],
  change: LimitChange,
  owner: LimitValues,
  kind: OwnerOfKey,
): void {
  const [limit, keys] = OWNERS[kind];
  for (const [name, input] of changedLimits(values, change)) {
    const most: LimitValues[LimitName] = owner[name];
    if (most === null || input === null || input <= most) continue;
    throw beyond(name, `${limit} is ${amountOf(name, most)}: ${keys} cannot have more.`);
  }
}

function changedLimits(values: OwnLimits['values'], change: LimitChange): [LimitName, number | bigint | null][] {
  return LIMIT_NAMES.flatMap((name): [LimitName, number | bigint | null][] => {
    const input = change[name];
    return input === undefined || input === 'plan' || input === (values[name] ?? null) ? [] : [[name, input]];
  });
}

function amountOf(name: LimitName, amount: number | bigint): string {
  return `${typeof amount === 'bigint' ? toUsd(amount) : amount} ${LIMITS[name].words}`;
}

function beyond(name: LimitName, message: string): UsageError {
  return new UsageError(message, limitField(shownName(name)));
}

@Module({
  imports: [AuditModule, BillingModule],
  providers: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
  exports: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
})
export class LimitSettingsModule {}
