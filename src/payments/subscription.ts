import type { Stripe } from 'stripe';
import type { StripeEvent, Subscription } from './payments.types.js';

/** Formats: https://docs.stripe.com/api/subscriptions/object and /api/events/object. */
export function toSubscription(told: Stripe.Subscription, prices: ReadonlyMap<string, string>): Subscription {
  const plans = new Map([...prices].map(([plan, price]) => [price, plan]));
  const item = told.items.data.find(({ price }) => plans.has(price.id));
  return {
    id: told.id,
    customerId: idOf(told.customer),
    userId: told.metadata.gateway_user ?? null,
    planId: item ? (plans.get(item.price.id) ?? null) : null,
    status: told.status,
    paidUntil: item ? paidUntil(told, item) : null,
    ends: told.cancel_at_period_end || told.cancel_at !== null,
  };
}

/** A period begins before it is paid: one whose payment has failed so far is not. */
function paidUntil({ status, ended_at: endedAt }: Stripe.Subscription, item: Stripe.SubscriptionItem): Date | null {
  if (status === 'active' || status === 'trialing') return toDate(item.current_period_end);
  if (status === 'past_due' || status === 'unpaid') return toDate(item.current_period_start);
  if (status === 'canceled' && endedAt !== null) return toDate(Math.min(endedAt, item.current_period_end));
  return null;
}

export function toStripeEvent(event: Stripe.Event): StripeEvent {
  return { id: event.id, subscriptionId: subscriptionOf(event) };
}

function subscriptionOf(event: Stripe.Event): string | null {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return event.data.object.id;
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return event.data.object.subscription && idOf(event.data.object.subscription);
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const subscription = event.data.object.parent?.subscription_details?.subscription;
      return subscription ? idOf(subscription) : null;
    }
    default:
      return null;
  }
}

function idOf(told: string | { id: string }): string {
  return typeof told === 'string' ? told : told.id;
}

function toDate(seconds: number): Date {
  return new Date(seconds * 1000);
}
