import type { CallerLimit, LimitChange, LimitValues } from '../limits/values/limit-values.js';
import type { PlanEntity, PlanGrantEntity } from './plan.entity.js';

/** The plan of users without a grant. */
export const DEFAULT_PLAN = 'free';

/** Sources that grants are synchronized with: groups in single sign-on, payments. */
export const SYNCED_SOURCES = ['oidc', 'stripe'] as const;
export type SyncedSource = (typeof SYNCED_SOURCES)[number];

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
  /** The names of the guards that the plan adds. */
  guards: readonly string[];
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
  /** Guards of gateway.yaml for the calls of its users, by name. */
  guards: string[];
}

/** The plan that a user has now; since and until are null if it has no start or end. */
export interface GrantedPlan {
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
