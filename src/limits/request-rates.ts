import type { DataSource } from 'typeorm';
import type { BalanceState, LimitedBalance } from '../ledger/rows/admission.types.js';

interface Verdict {
  readonly refused: boolean;
  readonly states: readonly (readonly [requests: number | null, tokens: number | null])[];
}

/**
 * Counts a replay in request rates; replays open no row in the ledger. Takes one request from every balance, or from
 * none. `states`: the balances before, in the same order.
 */
export async function takeFromRates(
  dataSource: DataSource,
  balances: readonly LimitedBalance[],
): Promise<{ isTaken: boolean; states: BalanceState[] }> {
  const asked = balances.map(({ id, kind, values }) => {
    return { id, kind, r: values.requestsPerMinute, t: values.tokensPerMinute };
  });
  const statement = 'SELECT refused, states FROM limit_take_request($1::json)';
  const [verdict]: Verdict[] = await dataSource.query(statement, [JSON.stringify(asked)]);
  const states = verdict?.states ?? [];
  return {
    isTaken: verdict?.refused !== true,
    states: states.map(([requests, tokens]) => rateState(requests, tokens)),
  };
}

/** A balance of which only the rates are known. */
export function rateState(requests: number | null, tokens: number | null): BalanceState {
  return { requests, tokens, slots: null, money: [], unspent: [] };
}
