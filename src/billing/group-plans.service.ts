import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { ClockService } from '../database/clock.service.js';
import { DEFAULT_PLAN, PlanEntity } from './plan.entity.js';
import { FROM_GROUPS, PlanGrantEntity } from './plan-grant.entity.js';

/** Plans that people have by their groups at the company's single sign-on; what an administrator granted stays apart. */
@Injectable()
export class GroupPlansService {
  constructor(
    @InjectRepository(PlanGrantEntity) private readonly grants: Repository<PlanGrantEntity>,
    private readonly audit: AuditService,
    private readonly clock: ClockService,
  ) {}

  /** Makes these plans, until then, all that the user has by groups. Plans that do not exist are given back. */
  async set(userId: string, planIds: readonly string[], until: Date | null, actor: Actor): Promise<string[]> {
    return this.grants.manager.transaction(async (manager) => {
      const now = this.clock.date();
      const [user]: { email: string }[] = await manager.query('SELECT email FROM users WHERE id = $1 FOR UPDATE', [
        userId,
      ]);
      const target = { kind: 'user', id: userId, name: user?.email ?? '' } as const;
      const held = await running(manager, userId, now);
      const plans = await existing(manager, planIds, new Set(held.map(({ planId }) => planId)));
      let hasChanged = false;
      const change = async (action: string, before: object | null, after: object) => {
        hasChanged = true;
        await this.audit.record(manager, actor, { action, target, before: { ...before }, after: { ...after } });
      };
      for (const { id, planId, startsAt, endsAt } of held) {
        const isKept = plans.has(planId);
        const end = isKept ? until : new Date(Math.max(now.getTime(), startsAt.getTime()));
        if (end?.getTime() === endsAt?.getTime()) continue;
        await manager.update(PlanGrantEntity, { id }, { endsAt: end });
        const [before, after] = [endsAt, end].map((at) => ({ plan: planId, since: startsAt, until: at }));
        await change(isKept ? 'plan.extend' : 'plan.revoke', before ?? null, after ?? {});
      }
      const isHeld = new Set(held.map(({ planId }) => planId));
      for (const planId of plans) {
        if (isHeld.has(planId)) continue;
        await manager.insert(PlanGrantEntity, { userId, planId, startsAt: now, endsAt: until, source: FROM_GROUPS });
        await change('plan.grant', null, { plan: planId, since: now, until });
      }
      if (hasChanged) await notifyCallerChanged(manager, 'user', userId);
      return planIds.filter((id) => id !== DEFAULT_PLAN && !plans.has(id));
    });
  }
}

/** Of these plans the ones that can be granted; one that is retired stays with whom it has. */
async function existing(
  manager: EntityManager,
  planIds: readonly string[],
  held: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = await manager.findBy(PlanEntity, { id: In([...planIds]) });
  const givable = found.filter(({ id, retiredAt }) => id !== DEFAULT_PLAN && (retiredAt === null || held.has(id)));
  return new Set(givable.map(({ id }) => id));
}

function running(manager: EntityManager, userId: string, now: Date): Promise<PlanGrantEntity[]> {
  const ofGroups = { userId, source: FROM_GROUPS };
  return manager.findBy(PlanGrantEntity, [
    { ...ofGroups, endsAt: IsNull() },
    { ...ofGroups, endsAt: MoreThan(now) },
  ]);
}
