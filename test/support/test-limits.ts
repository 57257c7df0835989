import type { AdmissionRequest, BalanceKind, WorstCaseCost } from '../../src/ledger/call-record.types.js';
import { type LimitValues, NO_LIMITS } from '../../src/limits/values/limit-values.js';

export const USD = 1_000_000_000n;

/** No limits, in the console API's format. */
export const NONE = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrentCalls: null,
  budgetDayUsd: null,
  budgetMonthUsd: null,
  budgetTotalUsd: null,
};

/** A balance that a call counts in, with some limits. */
export function balance(id: string, values: Partial<LimitValues>, kind: BalanceKind = 'user') {
  return { id, kind, values: { ...NO_LIMITS, ...values } };
}

/** What a call reserves: by default a prompt of ten tokens at no cost. */
export function requestOf(
  balances: AdmissionRequest['balances'],
  rest: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  return { balances, tokens: 10, money: null, ...rest };
}

/** A call that costs at most `full` nano-dollars: nothing for its prompt, the same for each of its `ceiling` tokens. */
export function money(full: bigint, ceiling = 1000, isOwnCeiling = true): WorstCaseCost {
  return {
    full,
    promptPrice: 0n,
    tokenPrice: (full * 1_000_000n) / BigInt(ceiling),
    choices: 1,
    ceiling,
    isOwnCeiling,
    hostedCalls: null,
    factors: { prompt: 1, output: 1 },
  };
}
