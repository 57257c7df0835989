import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { ClockService } from '../database/clock.service.js';
import { lockUser } from './locked-user.js';
import { DEFAULT_PLAN, PlanEntity } from './plan.entity.js';
import { PlanGrantEntity, type SyncedSource } from './plan-grant.entity.js';

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
  set(userId: string, source: SyncedSource, wanted: RequestedPlans, actor: Actor): Promise<string[]> {
    return this.grants.manager.transaction((manager) => this.setWithin(manager, userId, source, wanted, actor));
  }

  /** The same within a transaction. */
  async setWithin(
    manager: EntityManager,
    userId: string,
    source: SyncedSource,
    wanted: RequestedPlans,
    actor: Actor,
  ): Promise<string[]> {
    const now = this.clock.date();
    const target = { kind: 'user', id: userId, name: await lockUser(manager, userId) } as const;
    const held = await running(manager, userId, source, now);
    const plans = await existing(manager, [...wanted.keys()], new Set(held.map(({ planId }) => planId)));
    let hasChanged = false;
    const change = async (action: string, before: object | null, after: object) => {
      hasChanged = true;
      await this.audit.record(manager, actor, { action, target, before: { ...before }, after: { ...after } });
    };
    for (const { id, planId, startsAt, endsAt } of held) {
      const isKept = plans.has(planId);
      const end = isKept ? (wanted.get(planId) ?? null) : new Date(Math.max(now.getTime(), startsAt.getTime()));
      if (end?.getTime() === endsAt?.getTime()) continue;
      await manager.update(PlanGrantEntity, { id }, { endsAt: end });
      const [before, after] = [endsAt, end].map((at) => ({ plan: planId, since: startsAt, until: at }));
      await change(isKept ? 'plan.extend' : 'plan.revoke', before ?? null, after ?? {});
    }
    const isHeld = new Set(held.map(({ planId }) => planId));
    for (const planId of plans) {
      if (isHeld.has(planId)) continue;
      const until = wanted.get(planId) ?? null;
      await manager.insert(PlanGrantEntity, { userId, planId, startsAt: now, endsAt: until, source });
      await change('plan.grant', null, { plan: planId, since: now, until });
    }
    if (hasChanged) await notifyCallerChanged(manager, 'user', userId);
    return [...wanted.keys()].filter((id) => id !== DEFAULT_PLAN && !plans.has(id));
  }
}

/** The plans among these that can be granted. A retired plan stays only with users who have it. */
async function existing(
  manager: EntityManager,
  planIds: readonly string[],
  held: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = await manager.findBy(PlanEntity, { id: In([...planIds]) });
  const givable = found.filter(({ id, retiredAt }) => id !== DEFAULT_PLAN && (retiredAt === null || held.has(id)));
  return new Set(givable.map(({ id }) => id));
}

function running(manager: EntityManager, userId: string, source: SyncedSource, now: Date): Promise<PlanGrantEntity[]> {
  const followed = { userId, source };
  return manager.findBy(PlanGrantEntity, [
    { ...followed, endsAt: IsNull() },
    { ...followed, endsAt: MoreThan(now) },
  ]);
}
