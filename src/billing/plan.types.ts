import type { CallerLimit, LimitValues } from '../limits/values/limit.types.js';
import type { LimitChange } from '../limits/values/limit-values.js';

/** A plan as other modules see it. */
export interface Plan {
  id: string;
  /** Their models can be called. */
  tiers: ReadonlySet<string>;
  /** These models, too. */
  models: ReadonlySet<string>;
}

/** The plan that holds now, what limits whoever has it, and when the next grant starts or ends (Unix ms, null = never as things stand). */
export interface CurrentPlan {
  plan: Plan;
  limits: CallerLimit[];
  changesAt: number | null;
}

export interface PlanGrant {
  userId: string;
  planId: string;
  startsAt: Date;
  endsAt: Date | null;
}

/** A plan as people see it. */
export interface PlanContents {
  id: string;
  name: string;
  tiers: string[];
  models: string[];
  /** The plan of whoever was given none. */
  isDefault: boolean;
}

/** A plan as administrators keep it. */
export interface PlanDetails extends PlanContents {
  /** Of several plans that a user has been given, the one of the highest rank counts. */
  rank: number;
  /** It cannot be granted to new users; existing users keep it. */
  isRetired: boolean;
  /** For each user on it, all keys of that user together. */
  limits: LimitValues;
}

/** The plan that a user has now; since and until are null where it has no beginning, or no end. */
export interface HeldPlan {
  plan: PlanContents;
  since: Date | null;
  until: Date | null;
}

/** A grant that holds now or is yet to come. */
export interface PlanHolder {
  userId: string;
  since: Date;
  until: Date | null;
  /** Who or what gave it, for example `cli`. */
  source: string;
}

export interface PlanHolders {
  holders: PlanHolder[];
  /** Where the next page begins; null where this one was the last. */
  next: string | null;
}

export interface NewPlan {
  id: string;
  name?: string | undefined;
  tiers?: string[] | undefined;
  models?: string[] | undefined;
  /** Left out: above all others. */
  rank?: number | undefined;
  limits?: LimitChange;
}

/** What is left out stays. */
export type PlanChange = Omit<NewPlan, 'id'> & { retired?: boolean | undefined };
