import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Or, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor, AuditChange } from '../audit/audit.types.js';
import { notifyCallerChanged } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { PlanEntity, PlanGrantEntity } from './plan.entity.js';
import { DEFAULT_PLAN, type SyncedSource } from './plan.types.js';
import { lockUser } from './plan-statements.js';

/** Plan → its end; null for none. */
export type RequestedPlans = ReadonlyMap<string, Date | null>;

/** Plans that are synchronized with groups or payments. Grants by administrators are separate. */
@Injectable()
export class SyncedPlansService {
  constructor(
    @InjectRepository(PlanGrantEntity) private readonly grants: Repository<PlanGrantEntity>,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
  ) {}

  /** Sets the user's plans from this source, each with its end. Returns plans that do not exist. */
  set(userId: string, source: SyncedSource, required: RequestedPlans, actor: Actor): Promise<string[]> {
    return this.grants.manager.transaction((manager) => this.setWithin(manager, userId, source, required, actor));
  }

  /** The same within a transaction. */
  async setWithin(
    manager: EntityManager,
    userId: string,
    source: SyncedSource,
    required: RequestedPlans,
    actor: Actor,
  ): Promise<string[]> {
    const now = this.clock.date();
    const target = { kind: 'user', id: userId, name: await lockUser(manager, userId) } as const;
    const granted = await manager.findBy(PlanGrantEntity, { userId, source, endsAt: Or(IsNull(), MoreThan(now)) });
    const grantedIds = new Set(granted.map(({ planId }) => planId));
    const plans = await existing(manager, [...required.keys()], grantedIds);
    const changes: Omit<AuditChange, 'target'>[] = [];
    for (const { id, planId, startsAt, endsAt } of granted) {
      const isStored = plans.has(planId);
      const end = isStored ? (required.get(planId) ?? null) : new Date(Math.max(now.getTime(), startsAt.getTime()));
      if (end?.getTime() === endsAt?.getTime()) continue;
      await manager.update(PlanGrantEntity, { id }, { endsAt: end });
      const [before, after] = [endsAt, end].map((until) => ({ plan: planId, since: startsAt, until }));
      changes.push({ action: isStored ? 'plan.extend' : 'plan.revoke', before, after });
    }
    for (const planId of plans) {
      if (grantedIds.has(planId)) continue;
      const until = required.get(planId) ?? null;
      await manager.insert(PlanGrantEntity, { userId, planId, startsAt: now, endsAt: until, source });
      changes.push({ action: 'plan.grant', after: { plan: planId, since: now, until } });
    }
    for (const change of changes) await this.audit.record(manager, actor, { target, ...change });
    if (changes.length > 0) await notifyCallerChanged(manager, 'user', userId);
    return [...required.keys()].filter((id) => id !== DEFAULT_PLAN && !plans.has(id));
  }
}

/** The plans among these that can be granted. A retired plan stays only with users who have it. */
async function existing(
  manager: EntityManager,
  planIds: readonly string[],
  granted: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = await manager.findBy(PlanEntity, { id: In([...planIds]) });
  const givable = found.filter(({ id, retiredAt }) => id !== DEFAULT_PLAN && (retiredAt === null || granted.has(id)));
  return new Set(givable.map(({ id }) => id));
}
