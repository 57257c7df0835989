import type pg from 'pg';
import type { BatchFormat } from './batch-format.js';
import { UPSERT_CLOSED, UPSERT_CLOSED_LIMITED } from './usage-statements.js';

/** The row of a call that has ended. */
export interface ClosingRow {
  readonly json: string;
  readonly isLimited: boolean;
}

/** Rows of calls that have ended; where one was limited, the statement gives back and charges. */
export const closingFormat: BatchFormat<ClosingRow, void> = {
  query(rows): pg.QueryConfig {
    const values = [`[${rows.map(({ json }) => json).join(',')}]`];
    return rows.some(({ isLimited }) => isLimited)
      ? { name: 'upsert-limited-calls', text: UPSERT_CLOSED_LIMITED, values }
      : { name: 'upsert-closed-calls', text: UPSERT_CLOSED, values };
  },
  results: () => [],
};
