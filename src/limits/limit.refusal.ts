import {
  type AdmissionRequest,
  type BalanceState,
  BUDGET_PERIODS,
  type BudgetPeriod,
  type LimitedBalance,
} from '../ledger/rows/admission.types.js';
import { scopeOf } from './caller-balances.js';
import type { CallerLimit, LimitScope } from './values/limit.types.js';
import { type LimitName, RATE_NAMES } from './values/limit-values.js';
import { costOfTokens } from './worst-case.js';

export interface LimitRefusal {
  readonly scope: LimitScope;
  readonly name: LimitName;
  readonly balance: LimitedBalance;
  /** The tokens or nano-dollars that the call needed at least; a call that needs less may be admitted. */
  readonly wanted: number;
  /** Time until such a call may be admitted; null: unknown or never. */
  readonly seconds: number | null;
  /** Calls that end cannot change the decision before then. */
  readonly isSure: boolean;
  /** Of a budget: nano-dollars neither spent nor reserved; below zero after calls that cost more than they reserved. */
  readonly left?: number;
}

/** A budget never lowers the ceiling of an answer below this. */
const MIN_ANSWER_TOKENS = 256;
const SLOT_SECONDS = 1;

export const BUDGETS = {
  day: 'budgetDayNanodollars',
  month: 'budgetMonthNanodollars',
  total: 'budgetTotalNanodollars',
} as const satisfies Record<BudgetPeriod, LimitName>;

/** With fewer nano-dollars in the balance, the call is refused. */
export function leastCost({ money }: AdmissionRequest): number {
  if (!money || money.full === 0n) return 0;
  const least = costOfTokens(money.promptPrice, money.tokenPrice, Math.min(money.ceiling, MIN_ANSWER_TOKENS));
  return Number(least);
}

/** The refusal of a call that can never pass: its prompt exceeds a whole bucket, or a limit is zero. Else null. */
export function neverPasses(limits: readonly CallerLimit[], request: AdmissionRequest): LimitRefusal | null {
  for (const balance of request.balances) {
    const { requestsPerMinute, tokensPerMinute, concurrentCalls } = balance.values;
    const refusal = (name: LimitName, wanted: number): LimitRefusal => {
      return { name, scope: scopeOf(limits, balance, name), balance, wanted, seconds: null, isSure: true };
    };
    if (requestsPerMinute === 0) return refusal('requestsPerMinute', 1);
    if (concurrentCalls === 0) return refusal('concurrentCalls', 1);
    if (tokensPerMinute !== null && request.tokens > tokensPerMinute) return refusal('tokensPerMinute', request.tokens);
  }
  return null;
}

/**
 * Which limit refused a call, after the database did: the one with the longest wait; waits for a budget count as the
 * longest.
 */
export function refusalOf(
  limits: readonly CallerLimit[],
  request: AdmissionRequest,
  balances: readonly BalanceState[],
): LimitRefusal | null {
  const refusals = request.balances.flatMap((balance, index) => {
    const state = balances[index];
    if (!state) return [];
    return [...budgetRefusals(request, state), ...rateRefusals(request, balance, state)].map((refusal) => ({
      ...refusal,
      balance,
      scope: scopeOf(limits, balance, refusal.name),
    }));
  });
  const rank = ({ seconds }: LimitRefusal) => seconds ?? Number.POSITIVE_INFINITY;
  return refusals.sort((a, b) => rank(b) - rank(a))[0] ?? null;
}

type Found = Pick<LimitRefusal, 'name' | 'wanted' | 'seconds' | 'isSure' | 'left'>;

function budgetRefusals(request: AdmissionRequest, { money, unspent }: BalanceState): Found[] {
  const wanted = leastCost(request);
  if (wanted === 0) return [];
  return BUDGET_PERIODS.flatMap((period, index): Found[] => {
    const left = money[index];
    if (left == null || left >= wanted) return [];
    const isSure = (unspent[index] ?? 0) < wanted;
    return [{ name: BUDGETS[period], wanted, seconds: null, isSure, left }];
  });
}

function rateRefusals(
  request: AdmissionRequest,
  { values }: LimitedBalance,
  { requests, tokens, slots }: BalanceState,
): Found[] {
  const found: Found[] = [];
  const { requestsPerMinute, tokensPerMinute } = values;
  if (requests !== null && requestsPerMinute !== null && requests < 1) {
    const seconds = ((1 - requests) * 60) / requestsPerMinute;
    found.push({ name: 'requestsPerMinute', wanted: 1, seconds, isSure: true });
  }
  if (tokens !== null && tokensPerMinute !== null && tokens < request.tokens) {
    const seconds = ((request.tokens - tokens) * 60) / tokensPerMinute;
    found.push({ name: 'tokensPerMinute', wanted: request.tokens, seconds, isSure: true });
  }
  if (slots !== null && slots < 1) {
    found.push({ name: 'concurrentCalls', wanted: 1, seconds: SLOT_SECONDS, isSure: false });
  }
  return found;
}

/**
 * For a call that the database refused although the returned balances, which are rounded, show room for it. Names one
 * of the caller's limits, and asks the client to try again in a second.
 */
export function roundedRefusal(limits: readonly CallerLimit[], { balances }: AdmissionRequest): LimitRefusal {
  for (const name of RATE_NAMES) {
    const balance = balances.find(({ values }) => values[name] !== null);
    if (balance) return { scope: scopeOf(limits, balance, name), name, balance, wanted: 1, seconds: 1, isSure: false };
  }
  throw new Error('The database refused a call whose caller has no rate and no limit of concurrent calls.');
}
