import type pg from 'pg';
import type { BatchFormat } from './batch-format.js';
import type { WaitingRow } from './waiting-rows.js';

const CHECK_VIOLATION = '23514';

/** Whether some rows have a month without a partition: the error then names a table but no constraint. */
export function isWithoutPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  return code === CHECK_VIOLATION && table !== undefined && constraint === undefined;
}

export async function storeBatch<Row, Result>(
  pool: Pick<pg.ClientBase, 'query'>,
  format: BatchFormat<Row, Result>,
  batch: readonly WaitingRow<Row, Result>[],
  isSecond = false,
): Promise<readonly Result[]> {
  const rows = batch.map(({ row }) => row);
  const isRepeated = batch.some(({ wasSent }) => wasSent);
  const query = format.query(rows, isRepeated);
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

/** Postgres rejects the row's content (SQLSTATE classes 21, 22 and 23), so retrying is useless. */
export function isRowFault(error: unknown): boolean {
  return /^2[123]/.test(codeOf(error)) && !isWithoutPartition(error);
}

/** A statement or lock timeout, or a deadlock; the statement had no effect. */
export function isTimeout(error: unknown): boolean {
  return ['57014', '55P03', '40P01'].includes(codeOf(error));
}

/** Some of the rows may be the cause: too slow, too large, or not supported. */
export function mayBeOfSomeRows(error: unknown): boolean {
  return isTimeout(error) || /^(P0|0A|38|39|54)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
