import type { Stripe } from 'stripe';
import type { Charge, PaidPeriod } from './payments.types.js';
import { idOf, toDate } from './stripe-values.js';

/** Stripe's maximum page size; our invoices have a few lines. */
const PAGE = { limit: 100 };
/** Disputes that take no money from us, or not yet: won, prevented, or only an inquiry. */
const HARMLESS = /^(won|prevented|warning_.*)$/;

/**
 * The current state of a charge, and what it paid for: charge → payment intent → invoice → subscription. Null if Stripe
 * has no such charge for this account, or it paid for no invoice.
 */
export async function readCharge(stripe: Stripe, id: string, planPrices: readonly string[]): Promise<Charge | null> {
  const charge = await stripe.charges.retrieve(id).catch(nullWhenMissing);
  if (!charge?.payment_intent) return null;
  const payment = { type: 'payment_intent' as const, payment_intent: idOf(charge.payment_intent) };
  const payments = await stripe.invoicePayments.list({ payment, expand: ['data.invoice'], ...PAGE });
  const periods: PaidPeriod[] = [];
  for (const { invoice } of payments.data) {
    const period = await readPeriod(stripe, invoice, planPrices);
    if (period) periods.push(period);
  }
  if (periods.length === 0) return null;
  const disputes = charge.disputed ? (await stripe.disputes.list({ charge: id, ...PAGE })).data : [];
  return { id, isTakenBack: isTakenBack(charge, disputes), periods };
}

async function readPeriod(
  stripe: Stripe,
  invoice: Stripe.InvoicePayment['invoice'],
  planPrices: readonly string[],
): Promise<PaidPeriod | null> {
  if (typeof invoice === 'string' || !('parent' in invoice)) return null;
  const subscription = invoice.parent?.subscription_details?.subscription;
  if (!subscription || !invoice.id) return null;
  const lines = await stripe.invoices.listLineItems(invoice.id, PAGE);
  return toPaidPeriod(idOf(subscription), lines.data, planPrices);
}

/** Whether the charge was fully refunded, or lost to a dispute. After a partial refund the payment stays valid. */
function isTakenBack({ refunded }: Stripe.Charge, disputes: readonly Stripe.Dispute[]): boolean {
  return refunded || disputes.some(({ status }) => !HARMLESS.test(status));
}

/** The period for which an invoice's lines bill a plan; null if they bill no plan. Credits have negative amounts. */
function toPaidPeriod(
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

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null;
  throw error;
}
