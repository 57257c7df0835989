/** The current state of a subscription at Stripe. */
export interface Subscription {
  readonly id: string;
  readonly customerId: string;
  /** The buyer; null if the gateway did not sell it. */
  readonly userId: string | null;
  /** Null if it is for something other than a plan. */
  readonly planId: string | null;
  readonly status: string;
  /** The end of the paid period; null if nothing was paid. */
  readonly paidUntil: Date | null;
  /** It will not be renewed. */
  readonly ends: boolean;
}

/** The current state of a charge at Stripe. */
export interface Charge {
  readonly id: string;
  /** Whether it was fully refunded, or lost to a dispute. */
  readonly isTakenBack: boolean;
  /** The periods that it paid for; empty if they are for nothing that the gateway sells. */
  readonly periods: readonly PaidPeriod[];
}

export interface PaidPeriod {
  readonly subscriptionId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export interface EventSubject {
  readonly kind: 'subscription' | 'charge';
  readonly id: string;
}

export interface StripeEvent {
  readonly id: string;
  /** Null if it is not relevant here. */
  readonly subject: EventSubject | null;
}

/** A plan that a user pays for. */
export interface PaidPlan extends Pick<Subscription, 'status' | 'ends'> {
  readonly planId: string;
  /** It is active, or can still be paid. */
  readonly running: boolean;
  /** It can be in the past although the subscription is active, if the payment was refunded or disputed. */
  readonly paidUntil: Date | null;
  readonly ends: boolean;
}
