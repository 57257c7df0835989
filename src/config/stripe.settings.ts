import type { Environment } from './environment.js';

export interface StripeSettings {
  readonly secretKey: string;
  /** The secret that signs events; never empty. */
  readonly webhookSecret: string;
  /** Null: Stripe's own address. */
  readonly baseUrl: string | null;
  /** Plan → the id of its price at Stripe. It is never empty. */
  readonly prices: ReadonlyMap<string, string>;
}

/** The keys from the environment and the prices from gateway.yaml: all of them, or none. */
export function readStripe(environment: Environment, prices: Readonly<Record<string, string>>): StripeSettings | null {
  const secretKey = environment.readSecret('STRIPE_SECRET_KEY');
  const webhookSecret = environment.readSecret('STRIPE_WEBHOOK_SECRET');
  const baseUrl = environment.read('STRIPE_BASE_URL') ?? null;
  const isSold = Object.keys(prices).length > 0;
  if (secretKey === undefined && webhookSecret === undefined && !isSold) return null;
  if (secretKey === undefined) environment.fault('STRIPE_SECRET_KEY', 'is required to sell plans');
  if (webhookSecret === undefined)
    environment.fault('STRIPE_WEBHOOK_SECRET', 'is required to sell plans: without it, payments are not reported');
  if (!isSold) environment.fault('STRIPE_SECRET_KEY', 'is set, and payments.prices in gateway.yaml names no plan');
  if (baseUrl !== null && !/^https?:\/\/[^/]+\/?$/.test(baseUrl))
    environment.fault('STRIPE_BASE_URL', 'must be a URL without a path, such as https://api.stripe.com');
  if (new Set(Object.values(prices)).size < Object.keys(prices).length)
    environment.fault('STRIPE_SECRET_KEY', 'needs a different price for each plan in payments.prices');
  if (secretKey === undefined || webhookSecret === undefined) return null;
  return { secretKey, webhookSecret, baseUrl, prices: new Map(Object.entries(prices)) };
}
