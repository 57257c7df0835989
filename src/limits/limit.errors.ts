import { GatewayError } from '../common/gateway.error.js';
import { toUsd } from '../common/usd.js';
import type { BudgetPeriod } from '../ledger/rows/admission.types.js';
import type { LimitRefusal } from './limit.refusal.js';
import { type LimitName, RATE_NAMES, type RateName } from './values/limit-values.js';
import { utcPeriodOf } from './values/utc-periods.js';

export const PERIODS: Readonly<Partial<Record<LimitName, BudgetPeriod>>> = {
  budgetDayNanodollars: 'day',
  budgetMonthNanodollars: 'month',
  budgetTotalNanodollars: 'total',
};

/** Names whose limit was reached, its amount, and when to try again. `now`: for the end of a budget's period. */
export function limitError(refusal: LimitRefusal, now: Date, headers: Readonly<Record<string, string>>): GatewayError {
  const rate = RATE_NAMES.find((name) => name === refusal.name);
  return rate ? rateError(refusal, { ...headers }, rate) : budgetError(refusal, now, headers, PERIODS[refusal.name]);
}

function rateError(
  { scope, balance, wanted, seconds }: LimitRefusal,
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
        ? `The prompt has about ${wanted} tokens, more than the limit ever allows`
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
  { scope, left = 0, wanted }: LimitRefusal,
  now: Date,
  headers: Readonly<Record<string, string>>,
  period: BudgetPeriod = 'total',
): GatewayError {
  const end = endOf(period, now);
  const whose =
    period === 'total' ? `The total budget of the ${scope}` : `The budget of the ${scope} for the ${period}`;
  const reset = end ? `It resets at ${end.toISOString()}.` : 'It does not reset.';
  // Members must not see what the other members spent.
  const rest = scope === 'project' ? 'is nearly used up' : `has $${toUsd(BigInt(left))} left`;
  const state = left > 0 ? `${rest}. ${tooDear(wanted)}` : 'is used up.';
  const message = `${whose} ${state} ${reset}`;
  const body = { message, type: 'insufficient_quota', param: null, code: 'insufficient_quota' };
  return new GatewayError(429, body, { ...headers, 'x-should-retry': 'false' });
}

/** Money is left, but less than the maximum cost of the call. `wanted`: nano-dollars. */
function tooDear(wanted: number): string {
  const least = `at least $${toUsd(BigInt(Math.ceil(wanted)))}`;
  return `The maximum cost of this call does not fit: it reserves ${least}. A shorter prompt or output may fit.`;
}

export function endOf(period: BudgetPeriod, now: Date): Date | null {
  return period === 'total' ? null : utcPeriodOf(period, now).to;
}
