import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { lockUser } from '../../billing/locked-user.js';
import { type CurrentPlanRow, PLANS_OF_USERS } from '../../billing/plan-statements.js';
import { notifyCallerChanged } from '../../database/caller-changes.js';
import { effectiveLimits } from '../values/limit-settings.js';
import type { LimitChange } from '../values/limit-values.js';
import { LimitValuesService } from '../values/limit-values.service.js';
import type { UserLimits } from '../values/limit-values.types.js';

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
