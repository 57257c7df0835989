/** A subscription at Stripe, as it stands there. */
export interface Subscription {
  readonly id: string;
  readonly customerId: string;
  /** Whom the gateway sold it to; null: it was not sold by the gateway. */
  readonly userId: string | null;
  /** Null: of something that is no plan here. */
  readonly planId: string | null;
  readonly status: string;
  /** Up to when it is paid; null: nothing was. */
  readonly paidUntil: Date | null;
  /** It is not renewed. */
  readonly ends: boolean;
}

/** A charge at Stripe, as it stands there. */
export interface Charge {
  readonly id: string;
  /** It was refunded in full, or lost to a dispute. */
  readonly isTakenBack: boolean;
  /** What it paid for; empty: nothing that the gateway sold. */
  readonly periods: readonly PaidPeriod[];
}

export interface PaidPeriod {
  readonly subscriptionId: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** What an event of Stripe is about. */
export interface EventSubject {
  readonly kind: 'subscription' | 'charge';
  readonly id: string;
}

/** What Stripe tells by a webhook. */
export interface StripeEvent {
  readonly id: string;
  /** Null: nothing that matters here. */
  readonly subject: EventSubject | null;
}

/** A plan that somebody pays for. */
export interface PaidPlan {
  readonly planId: string;
  readonly status: string;
  /** It goes on, or may yet be paid. */
  readonly running: boolean;
  /** In the past, although it runs: the payment was refunded or disputed. */
  readonly paidUntil: Date | null;
  readonly ends: boolean;
}
