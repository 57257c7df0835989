import { GatewayError } from '../common/gateway.error.js';
import { toUsd } from '../common/text.js';
import type { Admission, AdmissionRequest, BudgetPeriod } from '../ledger/call-record.types.js';
import type { LimitRefusal } from './limit.refusal.js';
import { LIMITS, RATE_NAMES, type RateName, utcPeriodOf } from './values/limit-values.js';

/** Names whose limit was reached, its amount, and when to try again. `now`: for the end of a budget's period. */
export function limitError(refusal: LimitRefusal, now: Date, headers: Readonly<Record<string, string>>): GatewayError {
  const rate = RATE_NAMES.find((name) => name === refusal.name);
  return rate
    ? rateError(refusal, { ...headers }, rate)
    : budgetError(refusal, now, headers, LIMITS[refusal.name].period ?? undefined);
}

function rateError(
  { scope, balance, required, seconds }: LimitRefusal,
  headers: Record<string, string>,
  name: RateName,
): GatewayError {
  const limit = balance.values[name];
  const what = {
    requestsPerMinute: ['request', 'a minute'],
    tokensPerMinute: ['token', 'a minute'],
    concurrentCalls: ['call', 'at a time'],
  };
  const [thing, span] = what[name];
  const limitText = `The limit of the ${scope} is ${limit} ${thing}${limit === 1 ? '' : 's'} ${span}.`;
  const type = name === 'tokensPerMinute' ? 'tokens' : 'requests';
  if (seconds === null) {
    const why =
      name === 'tokensPerMinute'
        ? `The prompt has about ${required} tokens, more than the limit ever allows`
        : 'No calls are allowed';
    return limited(type, `${limitText} ${why}.`, { ...headers, 'x-should-retry': 'false' });
  }
  const ms = Math.max(1, Math.ceil(seconds * 1000));
  const whole = Math.max(1, Math.ceil(ms / 1000));
  const when =
    name === 'concurrentCalls' ? 'as soon as one of them has ended' : `in ${ms < 1000 ? `${ms} ms` : `${whole} s`}`;
  const retry = { 'retry-after': String(whole), 'retry-after-ms': String(ms) };
  return limited(type, `${limitText} Please try again ${when}.`, { ...headers, ...retry });
}

function limited(type: string, message: string, headers: Record<string, string>): GatewayError {
  return new GatewayError(429, { message, type, param: null, code: 'rate_limit_exceeded' }, headers);
}

function budgetError(
  { scope, left: rest, required }: LimitRefusal,
  now: Date,
  headers: Readonly<Record<string, string>>,
  period: BudgetPeriod = 'total',
): GatewayError {
  const left = rest ?? 0;
  const end = endOf(period, now);
  const whose =
    period === 'total' ? `The total budget of the ${scope}` : `The budget of the ${scope} for the ${period}`;
  const reset = end ? `It resets at ${end.toISOString()}.` : 'It does not reset.';
  // Members must not see what the other members spent.
  const amount = scope === 'project' ? 'is nearly used up' : `has $${toUsd(BigInt(left))} left`;
  const state = left > 0 ? `${amount}. ${exceedsBudgetText(required)}` : 'is used up.';
  const message = `${whose} ${state} ${reset}`;
  const body = { message, type: 'insufficient_quota', param: null, code: 'insufficient_quota' };
  return new GatewayError(429, body, { ...headers, 'x-should-retry': 'false' });
}

/** Money is left, but less than the maximum cost of the call. `required`: nano-dollars. */
function exceedsBudgetText(required: number): string {
  const least = `at least $${toUsd(BigInt(Math.ceil(required)))}`;
  return `The maximum cost of this call does not fit: it reserves ${least}. A shorter prompt or output may fit.`;
}

export function endOf(period: BudgetPeriod, now: Date): Date | null {
  return period === 'total' ? null : utcPeriodOf(period, now).to;
}

const KINDS = [
  ['requests', 'requestsPerMinute'],
  ['tokens', 'tokensPerMinute'],
] as const;

/**
 * `x-ratelimit-…` headers of requests and tokens, each for the balance with the least remaining. Rates without a limit
 * have no headers.
 */
export function limitHeaders(
  { balances }: AdmissionRequest,
  remaining: Admission['remaining'],
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [kind, name] of KINDS) {
    let least = Number.POSITIVE_INFINITY;
    for (const { id, values } of balances) {
      const limit = values[name];
      const found = remaining[id]?.[kind];
      if (limit === null || found == null) continue;
      const left = Math.min(limit, found);
      if (left >= least) continue;
      least = left;
      headers[`x-ratelimit-limit-${kind}`] = String(limit);
      headers[`x-ratelimit-remaining-${kind}`] = String(Math.max(0, Math.floor(left + 1e-6)));
      headers[`x-ratelimit-reset-${kind}`] = goDuration(limit === 0 ? 0 : ((limit - left) * 60) / limit);
    }
  }
  return headers;
}

/** Go's duration format: `12ms`, `1.5s`, `6m0s`, `1h0m0s`. */
function goDuration(seconds: number): string {
  const ms = Math.max(0, Math.ceil(seconds * 1000));
  if (ms === 0) return '0s';
  if (ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${(ms % 60_000) / 1000}s`;
  if (minutes === 0) return rest;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${rest}` : `${hours}h${minutes % 60}m${rest}`;
}
