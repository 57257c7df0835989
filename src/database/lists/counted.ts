import type { DataSource } from 'typeorm';

/** Counting stops at this number. */
const MAX_COUNTED = 10_000;

export interface ListTotal {
  readonly count: number;
  /** False if there are more. */
  readonly isExact: boolean;
}

/** `from`: the rest of a SELECT from its FROM on. */
export async function countRows(dataSource: DataSource, from: string, values: readonly unknown[]): Promise<ListTotal> {
  const [row]: { count: number }[] = await dataSource.query(
    `SELECT count(*)::int AS count FROM (SELECT ${from} LIMIT ${MAX_COUNTED + 1}) AS found`,
    [...values],
  );
  const count = row?.count ?? 0;
  return { count: Math.min(count, MAX_COUNTED), isExact: count <= MAX_COUNTED };
}
