import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { BalanceState, LimitedBalance } from '../ledger/rows/admission.types.js';

interface Verdict {
  readonly refused: boolean;
  readonly states: readonly (readonly [number | null, number | null])[];
}

/** Counts replays in request rates; they open no row in the ledger. */
@Injectable()
export class RequestRatesService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Takes one request from every balance, or from none. `states`: the balances before, in the same order. */
  async take(balances: readonly LimitedBalance[]): Promise<{ isTaken: boolean; states: BalanceState[] }> {
    const asked = balances.map(({ id, kind, values }) => {
      return { id, kind, r: values.requestsPerMinute, t: values.tokensPerMinute };
    });
    const statement = 'SELECT refused, states FROM limit_take_request($1::json)';
    const [verdict]: Verdict[] = await this.dataSource.query(statement, [JSON.stringify(asked)]);
    const states = verdict?.states ?? [];
    return { isTaken: verdict?.refused !== true, states: states.map(toState) };
  }
}

function toState([requests, tokens]: readonly [number | null, number | null]): BalanceState {
  return { requests, tokens, slots: null, money: [], unspent: [] };
}
