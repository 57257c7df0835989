import type pg from 'pg';
import type { BatchFormat } from './batch-format.js';
import { UPSERT_CLOSED, UPSERT_CLOSED_LIMITED } from './usage-statements.js';

/** The row of a call that has ended. */
export interface ClosingRow {
  readonly json: string;
  /** The ids of what it counts in; none: nothing limited it. */
  readonly balances: readonly string[];
}

/** Rows of calls that have ended; where one was limited, the statement gives back and charges. */
export const closingFormat: BatchFormat<ClosingRow, void> = {
  query(rows): pg.QueryConfig {
    const json = `[${rows.map((row) => row.json).join(',')}]`;
    const balances = new Set(rows.flatMap((row) => row.balances));
    return balances.size > 0
      ? { name: 'upsert-limited-calls', text: UPSERT_CLOSED_LIMITED, values: [json, `{${[...balances].join(',')}}`] }
      : { name: 'upsert-closed-calls', text: UPSERT_CLOSED, values: [json] };
  },
  results: () => [],
};
