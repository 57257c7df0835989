import type { EntityManager } from 'typeorm';
import { LEDGER } from '../rows/ledger-schema.js';

/** The calls that started from `from` until before `to`. */
export interface Slice {
  readonly from: Date;
  readonly to: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_MS = 3_600_000;
/** A slice that takes less is followed by a longer one; a slice above `SLOW_MS`, by a shorter one. */
const QUICK_MS = 300;
const SLOW_MS = 1000;

export async function monthsWithCalls(manager: EntityManager): Promise<Slice[]> {
  const bounds: { name: string; from: string; to: string }[] = await manager.query(
    `SELECT inhrelid::regclass::text AS name, bound[1] AS from, bound[2] AS to
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     CROSS JOIN LATERAL regexp_match(pg_get_expr(relpartbound, inhrelid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') AS bound
     WHERE inhparent = '${LEDGER}'::regclass ORDER BY 1`,
  );
  const months: Slice[] = [];
  for (const { name, from, to } of bounds) {
    const [call] = await manager.query(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (call) months.push({ from: new Date(from), to: new Date(to) });
  }
  return months.sort((one, other) => one.from.getTime() - other.from.getTime());
}

/** Visits months in slices of at most a day, and of less if a day takes long. */
export async function visitSlices(months: readonly Slice[], visit: (slice: Slice) => Promise<void>): Promise<void> {
  let lengthMs = FIRST_MS;
  for (const month of months) {
    for (let { from } = month; from < month.to; ) {
      const to = new Date(Math.min(from.getTime() + lengthMs, month.to.getTime()));
      const beganAt = performance.now();
      await visit({ from, to });
      const ms = performance.now() - beganAt;
      if (ms < QUICK_MS) lengthMs = Math.min(2 * lengthMs, DAY_MS);
      if (ms > SLOW_MS) lengthMs = Math.max(lengthMs / 2, MINUTE_MS);
      from = to;
    }
  }
}

/** The rows of a slice, $1 to $2, through the indexes of closed and of open calls. */
export function rowsOfSlice(columns: string): string {
  const rows = `SELECT ${columns} FROM ${LEDGER} WHERE started_at >= $1 AND started_at < $2`;
  return `(${rows} AND status <> 'open' UNION ALL ${rows} AND status = 'open')`;
}
