import type pg from 'pg';

/** How rows become a statement, and its answer what each of them is told. */
export interface BatchFormat<Row, Result> {
  /** It must be harmless to repeat. `isRepeated`: some of the rows may be stored already. The list may be empty. */
  query(rows: readonly Row[], isRepeated: boolean): pg.QueryConfig;
  /** One for each row, in their order. */
  results(answer: pg.QueryResult, rows: readonly Row[]): readonly Result[];
  /** Whether a statement failed, and did nothing, since it was made for what is usual: the next one is made otherwise. */
  isNotUsual?(error: unknown): boolean;
}

/** Rows as JSON texts, for a statement that takes them as one JSON array; nothing is told. */
export function jsonRows(name: string, text: string): BatchFormat<string, void> {
  return {
    query: (rows) => ({ name, text, values: [`[${rows.join(',')}]`] }),
    results: () => [],
  };
}
