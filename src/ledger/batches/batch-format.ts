import type pg from 'pg';

/** Converts rows to a statement, and its result to one result per row. */
export interface BatchFormat<Row, Result> {
  /** Must be safe to repeat. `isRepeated`: some rows may be stored already. The list may be empty. */
  query(rows: readonly Row[], isRepeated: boolean): pg.QueryConfig;
  /** One per row, in order. */
  results(answer: pg.QueryResult, rows: readonly Row[]): readonly Result[];
  /** Whether a statement for the usual case failed without effect; the next statement is then built differently. */
  isNotUsual?(error: unknown): boolean;
}

/** Rows as JSON texts, for a statement that takes one JSON array and returns no results. */
export function jsonRows(name: string, text: string): BatchFormat<string, void> {
  return {
    query: (rows) => ({ name, text, values: [`[${rows.join(',')}]`] }),
    results: () => [],
  };
}
