import type { CallerLimit, LimitValues } from '../limits/values/limit.types.js';
import type { LimitChange } from '../limits/values/limit-values.js';
import type { PlanEntity } from './plan.entity.js';
import type { PlanGrantEntity } from './plan-grant.entity.js';

/** A plan as other modules see it. */
export interface Plan {
  id: string;
  /** The models of these tiers are included. */
  tiers: ReadonlySet<string>;
  /** Additional models. */
  models: ReadonlySet<string>;
}

/**
 * The current plan, the limits of its users, and when the next grant starts or ends (Unix ms; null: no change is
 * planned).
 */
export interface CurrentPlan {
  /** The user's project; null for users of no project. `userId`: the user that represents it and has its plan. */
  project: { readonly id: string; readonly userId: string } | null;
  plan: Plan;
  limits: CallerLimit[];
  changesAt: number | null;
}

export type PlanGrant = Pick<PlanGrantEntity, 'userId' | 'planId' | 'startsAt' | 'endsAt'>;

/** A plan as shown to people. */
export interface PlanContents extends Pick<PlanEntity, 'id' | 'name' | 'tiers' | 'models'> {
  /** The plan of users without a grant. */
  isDefault: boolean;
}

/** A plan as administrators edit it. */
export interface PlanDetails extends PlanContents {
  /** If a user has several plans, the one with the highest rank applies. */
  rank: number;
  /** It cannot be granted to new users; existing users keep it. */
  isRetired: boolean;
  /** For each of its users, over all keys of that user. */
  limits: LimitValues;
}

/** The plan that a user has now; since and until are null if it has no start or end. */
export interface HeldPlan {
  plan: PlanContents;
  since: Date | null;
  until: Date | null;
}

/** A present or future grant. */
export interface PlanHolder {
  userId: string;
  since: Date;
  until: Date | null;
  /** Who or what granted it, for example `cli`. */
  source: string;
}

export interface PlanHolders {
  holders: PlanHolder[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

export interface NewPlan {
  id: string;
  name?: string | undefined;
  tiers?: string[] | undefined;
  models?: string[] | undefined;
  /** If missing, the plan ranks above all others. */
  rank?: number | undefined;
  limits?: LimitChange;
}

/** Missing fields do not change. */
export type PlanChange = Omit<NewPlan, 'id'> & { retired?: boolean | undefined };
