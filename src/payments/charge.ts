import type { Stripe } from 'stripe';
import type { PaidPeriod } from './payments.types.js';
import { idOf, toDate } from './stripe-values.js';

/** Disputes that take no money from us, or not yet: won, prevented, or only an inquiry. */
const HARMLESS = /^(won|prevented|warning_.*)$/;

/** Whether the charge was fully refunded, or lost to a dispute. After a partial refund the payment stays valid. */
export function isTakenBack({ refunded }: Stripe.Charge, disputes: readonly Stripe.Dispute[]): boolean {
  return refunded || disputes.some(({ status }) => !HARMLESS.test(status));
}

/** The period for which an invoice's lines bill a plan; null if they bill no plan. Credits have negative amounts. */
export function toPaidPeriod(
  subscriptionId: string,
  lines: readonly Stripe.InvoiceLineItem[],
  planPrices: readonly string[],
): PaidPeriod | null {
  const billed = lines.filter(({ amount, pricing }) => {
    const price = pricing?.price_details?.price;
    return amount > 0 && price !== undefined && planPrices.includes(idOf(price));
  });
  if (billed.length === 0) return null;
  return {
    subscriptionId,
    startsAt: toDate(Math.min(...billed.map(({ period }) => period.start))),
    endsAt: toDate(Math.max(...billed.map(({ period }) => period.end))),
  };
}
