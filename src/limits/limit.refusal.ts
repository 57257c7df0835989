import {
  type AdmissionRequest,
  type BalanceState,
  BUDGET_PERIODS,
  type LimitedBalance,
} from '../ledger/rows/admission.types.js';
import { scopeOf } from './caller-balances.js';
import type { CallerLimit, LimitScope } from './values/limit.types.js';
import type { LimitName } from './values/limit-values.js';
import { costOfTokens } from './worst-case.js';

export interface LimitRefusal {
  readonly scope: LimitScope;
  readonly name: LimitName;
  readonly balance: LimitedBalance;
  /** The least tokens or nano-dollars that the call needed; one that needs less may be admitted. */
  readonly wanted: number;
  /** Until a call may be admitted; null: unknown or never. */
  readonly seconds: number | null;
  /** No ending call can change the decision before then. */
  readonly isSure: boolean;
  /** Of a budget: nano-dollars neither spent nor reserved; below zero after calls that cost more than they reserved. */
  readonly left?: number;
}

/** Tokens. Shorter ceilings are never imposed by a budget. */
const LEAST_ANSWER = 256;
const PLACE_SECONDS = 1;

export const BUDGETS: Readonly<Record<(typeof BUDGET_PERIODS)[number], LimitName>> = {
  day: 'budgetDayNanodollars',
  month: 'budgetMonthNanodollars',
  total: 'budgetTotalNanodollars',
};

/** Nano-dollars in the balance below which the call is rejected. */
export function leastCost({ money }: AdmissionRequest): number {
  if (!money || money.full === 0n) return 0;
  const least = costOfTokens(money.promptPrice, money.tokenPrice, Math.min(money.ceiling, LEAST_ANSWER));
  return Number(least);
}

/** The prompt exceeds a whole bucket, or a limit is zero. Null: the call may be admitted at some time. */
export function neverPasses(limits: readonly CallerLimit[], ask: AdmissionRequest): LimitRefusal | null {
  for (const balance of ask.balances) {
    const { requestsPerMinute, tokensPerMinute, concurrentCalls } = balance.values;
    const refusal = (name: LimitName) => ({ name, scope: scopeOf(limits, balance, name), balance, isSure: true });
    if (requestsPerMinute === 0) return { ...refusal('requestsPerMinute'), wanted: 1, seconds: null };
    if (concurrentCalls === 0) return { ...refusal('concurrentCalls'), wanted: 1, seconds: null };
    if (tokensPerMinute !== null && ask.tokens > tokensPerMinute) {
      return { ...refusal('tokensPerMinute'), wanted: ask.tokens, seconds: null };
    }
  }
  return null;
}

/** The refusal with the longest wait; budgets count as longest. */
export function refusalOf(
  limits: readonly CallerLimit[],
  ask: AdmissionRequest,
  balances: readonly BalanceState[],
): LimitRefusal | null {
  const refusals = ask.balances.flatMap((balance, index) => {
    const state = balances[index];
    if (!state) return [];
    return [...budgetRefusals(ask, state), ...rateRefusals(ask, balance, state)].map((refusal) => ({
      ...refusal,
      balance,
      scope: scopeOf(limits, balance, refusal.name),
    }));
  });
  const rank = ({ seconds }: LimitRefusal) => seconds ?? Number.POSITIVE_INFINITY;
  return refusals.sort((a, b) => rank(b) - rank(a))[0] ?? null;
}

type Found = Pick<LimitRefusal, 'name' | 'wanted' | 'seconds' | 'isSure' | 'left'>;

function budgetRefusals(ask: AdmissionRequest, { money, unspent }: BalanceState): Found[] {
  const wanted = leastCost(ask);
  if (wanted === 0) return [];
  return BUDGET_PERIODS.flatMap((period, index): Found[] => {
    const left = money[index];
    if (left == null || left >= wanted) return [];
    const isSure = (unspent[index] ?? 0) < wanted;
    return [{ name: BUDGETS[period], wanted, seconds: null, isSure, left }];
  });
}

function rateRefusals(
  ask: AdmissionRequest,
  { values }: LimitedBalance,
  { requests, tokens, places }: BalanceState,
): Found[] {
  const found: Found[] = [];
  const { requestsPerMinute, tokensPerMinute } = values;
  if (requests !== null && requestsPerMinute !== null && requests < 1) {
    const seconds = ((1 - requests) * 60) / requestsPerMinute;
    found.push({ name: 'requestsPerMinute', wanted: 1, seconds, isSure: true });
  }
  if (tokens !== null && tokensPerMinute !== null && tokens < ask.tokens) {
    const seconds = ((ask.tokens - tokens) * 60) / tokensPerMinute;
    found.push({ name: 'tokensPerMinute', wanted: ask.tokens, seconds, isSure: true });
  }
  if (places !== null && places < 1) {
    found.push({ name: 'concurrentCalls', wanted: 1, seconds: PLACE_SECONDS, isSure: false });
  }
  return found;
}

/**
 * The refusal of a call that seems to fit: the database rejected it, but the returned balances, which are rounded, show
 * room. It names a limit that the caller has, and asks the client to try again in a second.
 */
export function roundedRefusal(limits: readonly CallerLimit[], { balances }: AdmissionRequest): LimitRefusal {
  for (const name of ['requestsPerMinute', 'tokensPerMinute', 'concurrentCalls'] as const) {
    const balance = balances.find(({ values }) => values[name] !== null);
    if (balance) return { scope: scopeOf(limits, balance, name), name, balance, wanted: 1, seconds: 1, isSure: false };
  }
  throw new Error('The database rejected a call whose caller has no rate and no limit of concurrent calls.');
}
