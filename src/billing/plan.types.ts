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
