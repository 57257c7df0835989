/** A plan as other modules see it. */
export interface Plan {
  id: string;
  tiers: ReadonlySet<string>;
}

/** The plan that holds now, and when the next grant starts or ends (Unix ms, null = never as things stand). */
export interface CurrentPlan {
  plan: Plan;
  changesAt: number | null;
}

export interface PlanGrant {
  userId: string;
  planId: string;
  startsAt: Date;
  endsAt: Date | null;
}

/** A plan as people see it. */
export interface PlanDetails {
  id: string;
  name: string;
  tiers: string[];
  /** The plan of whoever was given none. */
  isDefault: boolean;
}

/** The plan that a user has now; since and until are null where it has no beginning, or no end. */
export interface HeldPlan {
  plan: PlanDetails;
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

export interface PlanChange {
  name?: string;
  tiers?: string[];
}
