import { LRUCache } from 'lru-cache';
import type { AdmissionRequest, BalanceState } from '../ledger/rows/admission.types.js';
import { limitHeaders, type Standing } from './limit-headers.js';
import { rateState } from './request-rates.js';

const MAX = 10_000;

interface Seen {
  readonly state: BalanceState;
  readonly at: number;
}

/** The last known balances, for the headers of replies that do not query the database. */
export class Standings {
  private readonly seen = new LRUCache<string, Seen>({ max: MAX });

  note({ request, balances, isTaken }: Standing): void {
    const at = performance.now();
    for (const [index, { id }] of request.balances.entries()) {
      const state = balances[index];
      if (state) this.seen.set(id, { state: isTaken ? taken(state, request.tokens) : state, at });
    }
  }

  /** Unknown balances count as full. */
  headersOf(request: AdmissionRequest): Record<string, string> {
    const now = performance.now();
    const balances = request.balances.map(({ id, values: { requestsPerMinute, tokensPerMinute } }) => {
      const { state, at } = this.seen.get(id) ?? { state: null, at: now };
      const minutes = (now - at) / 60_000;
      const refilled = (left: number | null | undefined, limit: number | null) =>
        limit === null ? null : Math.min(limit, (left ?? limit) + minutes * limit);
      return rateState(refilled(state?.requests, requestsPerMinute), refilled(state?.tokens, tokensPerMinute));
    });
    return limitHeaders({ request, balances, isTaken: false });
  }
}

function taken(state: BalanceState, tokens: number): BalanceState {
  const { requests, tokens: left } = state;
  return { ...state, requests: requests === null ? null : requests - 1, tokens: left === null ? null : left - tokens };
}
