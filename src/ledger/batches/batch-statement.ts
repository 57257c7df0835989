import type pg from 'pg';
import type { BatchFormat } from './batch-format.js';
import type { WaitingRow } from './waiting-rows.js';

const CHECK_VIOLATION = '23514';

/** Whether rows were refused because their month has no partition: no single constraint is named then. */
export function isWithoutPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  return code === CHECK_VIOLATION && table !== undefined && constraint === undefined;
}

/** Stores a batch with one statement; where that fails since it was made for the usual, with a second one. */
export async function storeBatch<Row, Result>(
  pool: Pick<pg.ClientBase, 'query'>,
  format: BatchFormat<Row, Result>,
  batch: readonly WaitingRow<Row, Result>[],
  isSecond = false,
): Promise<readonly Result[]> {
  const rows = batch.map(({ row }) => row);
  const query = format.query(
    rows,
    batch.some(({ wasSent }) => wasSent),
  );
  for (const row of batch) row.wasSent = true;
  try {
    return format.results(await pool.query(query), rows);
  } catch (error) {
    if (!isSecond && format.isNotUsual?.(error)) return await storeBatch(pool, format, batch, true);
    throw error;
  }
}

export function resolveAll<Row, Result>(batch: readonly WaitingRow<Row, Result>[], results: readonly Result[]): void {
  for (const [index, { waiter }] of batch.entries()) waiter?.resolve(results[index] as Result);
}

/** Postgres refuses what stands in a row (SQLSTATE classes 21, 22 and 23): to try again is no use. */
export function isRowFault(error: unknown): boolean {
  return /^2[123]/.test(codeOf(error)) && !isWithoutPartition(error);
}

/** The statement was too slow, or waited for others' locks (statement and lock timeouts, deadlocks): it has done nothing. */
export function isTimeout(error: unknown): boolean {
  return ['57014', '55P03', '40P01'].includes(codeOf(error));
}

/** The reason may lie in some of the rows alone: what is asked for a caller is too slow, too much, or not supported. */
export function mayBeOfSomeRows(error: unknown): boolean {
  return isTimeout(error) || /^(P0|0A|38|39|54)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
