import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { notifyCallerChanged } from '../database/caller-changes.js';
import { PlanEntity } from './plan.entity.js';
import type { CurrentPlan, PlanGrant } from './plan.types.js';
import { PlanGrantEntity } from './plan-grant.entity.js';

const DEFAULT_PLAN = 'free';

/** Plans and who has them: the pro status is a grant of the plan `pro` that holds now. */
@Injectable()
export class PlansService {
  constructor(
    @InjectRepository(PlanEntity) private readonly plans: Repository<PlanEntity>,
    @InjectRepository(PlanGrantEntity) private readonly grants: Repository<PlanGrantEntity>,
  ) {}

  /** Grants a plan from now on; a running grant of the same plan takes the new end. */
  async grant(userId: string, planId: string, until: Date | null, source: string): Promise<PlanGrant> {
    if (!(await this.plans.existsBy({ id: planId }))) throw new UsageError(`There is no plan '${planId}'.`);
    const now = new Date();
    if (until && until <= now) throw new UsageError('The end of a grant must lie in the future.');
    return this.grants.manager.transaction(async (manager) => {
      await manager.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
      const held = await manager.find(PlanGrantEntity, {
        where: running(userId, planId, now),
        order: { startsAt: 'ASC' },
      });
      const startsAt = held[0]?.startsAt ?? now;
      if (held.length > 0) await manager.update(PlanGrantEntity, running(userId, planId, now), { endsAt: until });
      else await manager.insert(PlanGrantEntity, { userId, planId, startsAt, endsAt: until, source });
      await notifyCallerChanged(manager, 'user', userId);
      return { userId, planId, startsAt, endsAt: until };
    });
  }

  /** Ends every running and future grant of the user; returns how many. */
  async revoke(userId: string): Promise<number> {
    return this.grants.manager.transaction(async (manager) => {
      const [, ended] = await manager.query(
        `UPDATE plan_grants SET starts_at = least(starts_at, now()), ends_at = now()
         WHERE user_id = $1 AND (ends_at IS NULL OR ends_at > now())`,
        [userId],
      );
      await notifyCallerChanged(manager, 'user', userId);
      return ended;
    });
  }

  async current(userId: string): Promise<CurrentPlan> {
    const now = new Date();
    const [grants, plans] = await Promise.all([
      this.grants.find({
        where: [
          { userId, endsAt: IsNull() },
          { userId, endsAt: MoreThan(now) },
        ],
      }),
      this.plans.find(),
    ]);
    const holding = new Set(grants.filter(({ startsAt }) => startsAt <= now).map(({ planId }) => planId));
    const best = plans
      .filter(({ id }) => id === DEFAULT_PLAN || holding.has(id))
      .sort((a, b) => b.rank - a.rank)
      .at(0);
    if (!best) throw new Error(`the plan '${DEFAULT_PLAN}' is missing`);
    return { plan: { id: best.id, tiers: new Set(best.tiers) }, changesAt: nextChange(grants, now) };
  }
}

function running(userId: string, planId: string, now: Date) {
  return [
    { userId, planId, startsAt: LessThanOrEqual(now), endsAt: IsNull() },
    { userId, planId, startsAt: LessThanOrEqual(now), endsAt: MoreThan(now) },
  ];
}

function nextChange(grants: readonly PlanGrantEntity[], now: Date): number | null {
  const instants = grants.flatMap(({ startsAt, endsAt }) => (startsAt > now ? [startsAt, endsAt] : [endsAt]));
  const times = instants.filter((at) => at !== null).map((at) => at.getTime());
  return times.length > 0 ? Math.min(...times) : null;
}
