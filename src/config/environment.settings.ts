import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../common/text.js';
import type { Environment } from './environment.js';

/** Where alerts are sent. */
export interface AlertSettings {
  readonly url: string;
  /** Null: alerts are not signed. */
  readonly secret: string | null;
}

/** Null if there is no address: nothing is sent. */
export function readAlerts(environment: Environment, url: string | undefined): AlertSettings | null {
  const secret = environment.readSecret('ALERT_WEBHOOK_SECRET') || null;
  return url === undefined ? null : { url, secret };
}

const BYTES = 32;

/** The keys of the content log and of stored responses; the first one encrypts, all decrypt. Empty: there are none. */
export function readContentLogKeys(environment: Environment): Buffer[] {
  const text = environment.readSecret('CONTENT_LOG_KEY');
  if (text === undefined) return [];
  const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64'));
  if (keys.every(({ length }) => length === BYTES)) return keys;
  const problem =
    'must be 32 random bytes in base64, for example from `openssl rand -base64 32`; older keys can follow, separated by commas';
  environment.fault('CONTENT_LOG_KEY', problem);
  return [];
}

export interface FirstAdminSettings {
  readonly email: string;
  readonly password: string;
}

/** ADMIN_EMAIL with ADMIN_PASSWORD; prefer ADMIN_PASSWORD_FILE. */
export function readFirstAdmin(environment: Environment): FirstAdminSettings | null {
  const email = environment.read('ADMIN_EMAIL');
  const password = environment.readSecret('ADMIN_PASSWORD');
  if (email === undefined || password === undefined) {
    if (email !== undefined) environment.fault('ADMIN_PASSWORD_FILE', 'is required by ADMIN_EMAIL');
    if (password !== undefined) environment.fault('ADMIN_EMAIL', 'is required by ADMIN_PASSWORD');
    return null;
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) environment.fault('ADMIN_EMAIL', 'must be an e-mail address');
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    environment.fault('ADMIN_PASSWORD', `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return { email, password };
}

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

/** Where traces of calls are sent. */
export interface TraceSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of calls that are traced when the caller's trace does not decide. */
  readonly ratio: number;
}

/** OpenTelemetry's own variables. Null without an endpoint: nothing is traced. */
export function readTraces(environment: Environment, endpoint: string | undefined): TraceSettings | null {
  const headers = readHeaders(environment);
  const serviceName = environment.read('OTEL_SERVICE_NAME') ?? 'chat-completion-gateway';
  const ratio = readRatio(environment);
  if (endpoint === undefined) return null;
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers, serviceName, ratio };
}

/** `name=value,name=value`, percent-encoded. */
function readHeaders(environment: Environment): Record<string, string> {
  const text = environment.readSecret('OTEL_EXPORTER_OTLP_HEADERS');
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(pairs.map(toPair));
  } catch {
    environment.fault('OTEL_EXPORTER_OTLP_HEADERS', 'must be a list such as name=value,name=value, percent-encoded');
    return {};
  }
}

function toPair(pair: string): [string, string] {
  const [name = '', ...rest] = pair.split('=');
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) || rest.length === 0) throw new RangeError('no pair');
  return [name.trim(), decodeURIComponent(rest.join('=').trim())];
}

function readRatio(environment: Environment): number {
  const text = environment.read('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const ratio = Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  environment.fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return 1;
}
