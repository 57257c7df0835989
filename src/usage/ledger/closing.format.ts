import type pg from 'pg';
import type { ClosedCall } from '../usage.types.js';
import type { BatchFormat } from './batch-format.js';
import type { RowTypes } from './row-types.js';
import { UsageRows } from './usage-rows.js';
import { UPSERT_CLOSED, UPSERT_CLOSED_LIMITED } from './usage-statements.js';

/** Rows of calls that have ended; where one was limited, the statement gives back and charges. */
export class ClosingFormat implements BatchFormat<ClosedCall, void> {
  private readonly rows = UsageRows.ofClosedCalls();

  constructor(
    private readonly instanceId: string,
    private readonly types: Pick<RowTypes, 'closing'>,
  ) {}

  query(calls: readonly ClosedCall[]): pg.QueryConfig {
    const values = [this.instanceId, this.rows.parameter(this.types.closing, calls)];
    if (calls.every(({ ask }) => ask === null)) return { name: 'upsert-closed-calls', text: UPSERT_CLOSED, values };
    const balances = new Set(calls.flatMap(({ ask }) => ask?.balances.map(({ id }) => id) ?? []));
    const all = [`{${[...balances].join(',')}}`, ...values];
    return { name: 'upsert-limited-calls', text: UPSERT_CLOSED_LIMITED, values: all };
  }

  results() {
    return [];
  }
}
