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

/** What Stripe tells by a webhook. */
export interface StripeEvent {
  readonly id: string;
  /** Which subscription it is about; null: none. */
  readonly subscriptionId: string | null;
}

/** A plan that somebody pays for. */
export interface PaidPlan {
  readonly planId: string;
  readonly status: string;
  /** It goes on, or may yet be paid. */
  readonly running: boolean;
  readonly paidUntil: Date | null;
  readonly ends: boolean;
}
