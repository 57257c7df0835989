import type { Stripe } from 'stripe';
import { isTakenBack, toPaidPeriod } from './charge.js';
import type { Charge, PaidPeriod } from './payments.types.js';
import { idOf } from './stripe-values.js';

/** Stripe's maximum page size; our invoices have a few lines. */
const PAGE = { limit: 100 };

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

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null;
  throw error;
}
