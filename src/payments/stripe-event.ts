import type { Stripe } from 'stripe';
import type { EventSubject } from './payments.types.js';
import { idOf } from './stripe-values.js';

/**
 * The subscription or charge to read from Stripe; null if the event concerns neither. Format:
 * https://docs.stripe.com/api/events/types
 */
export function toEventSubject(event: Stripe.Event): EventSubject | null {
  const [kind, value] = subjectOf(event);
  return value ? { kind, id: idOf(value) } : null;
}

type Subject = [kind: EventSubject['kind'], value: string | { id: string } | null | undefined];

function subjectOf(event: Stripe.Event): Subject {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return ['subscription', event.data.object];
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return ['subscription', event.data.object.subscription];
    case 'invoice.paid':
    case 'invoice.payment_failed':
      return ['subscription', event.data.object.parent?.subscription_details?.subscription];
    case 'charge.refunded':
      return ['charge', event.data.object];
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return ['charge', event.data.object.charge];
    default:
      return ['subscription', null];
  }
}
