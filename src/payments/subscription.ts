import type { Stripe } from 'stripe';
import type { Subscription } from './payments.types.js';
import { idOf, toDate } from './stripe-values.js';

/** Format: https://docs.stripe.com/api/subscriptions/object */
export function toSubscription(received: Stripe.Subscription, prices: ReadonlyMap<string, string>): Subscription {
  const plans = new Map([...prices].map(([plan, price]) => [price, plan]));
  const item = received.items.data.find(({ price }) => plans.has(price.id));
  return {
    id: received.id,
    customerId: idOf(received.customer),
    userId: received.metadata.gateway_user ?? null,
    planId: item ? (plans.get(item.price.id) ?? null) : null,
    status: received.status,
    paidUntil: item ? paidUntil(received, item) : null,
    ends: received.cancel_at_period_end || received.cancel_at !== null,
  };
}

/** A period starts before it is paid; if its payment has failed so far, it is unpaid. */
function paidUntil({ status, ended_at: endedAt }: Stripe.Subscription, item: Stripe.SubscriptionItem): Date | null {
  if (status === 'active' || status === 'trialing') return toDate(item.current_period_end);
  if (status === 'past_due' || status === 'unpaid') return toDate(item.current_period_start);
  if (status === 'canceled' && endedAt !== null) return toDate(Math.min(endedAt, item.current_period_end));
  return null;
}
