import type pg from 'pg';
import type { OpenCall } from './call-record.types.js';
import { monthAfter, partitionOf } from './usage-months.js';

/** The partitioned table. */
export const LEDGER = 'usage_calls';
const UNDEFINED_TABLE = '42P01';

/**
 * The ids of the row types and the months that have a partition, on which statements depend. They differ between
 * servers, so they are read with each new connection. A statement that was built for another server fails and is
 * built again.
 */
export class LedgerSchema {
  /** The ids of the row types of open and of closed calls. */
  opening = 0;
  closing = 0;
  private partitions: ReadonlySet<string> = new Set();
  private month = { name: LEDGER, from: 0, to: 0 };

  /** The partition that contains all these calls, so that Postgres need not look it up; else the whole ledger. */
  tableOf(calls: readonly Pick<OpenCall, 'startedAt'>[]): string {
    const [first] = calls;
    if (!first) return LEDGER;
    if (!this.isInMonth(first.startedAt)) this.month = toMonth(first.startedAt);
    const { name } = this.month;
    return this.partitions.has(name) && calls.every(({ startedAt }) => this.isInMonth(startedAt)) ? name : LEDGER;
  }

  async read(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const { rows } = await client.query<{ opening: number; closing: number; partitions: string[] }>(
      `SELECT 'usage_row_opening'::regtype::oid AS opening, 'usage_row_closing'::regtype::oid AS closing,
         ARRAY(SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = '${LEDGER}'::regclass) AS partitions`,
    );
    const [row] = rows;
    if (!row) return;
    this.opening = row.opening;
    this.closing = row.closing;
    this.partitions = new Set(row.partitions);
  }

  /** Whether a statement failed because a partition no longer exists. */
  isOutOfDate(error: unknown): boolean {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE || this.partitions.size === 0) return false;
    this.partitions = new Set();
    return true;
  }

  private isInMonth(date: Date): boolean {
    const at = date.getTime();
    return at >= this.month.from && at < this.month.to;
  }
}

function toMonth(date: Date): { name: string; from: number; to: number } {
  return { name: partitionOf(date), from: monthAfter(date, 0).getTime(), to: monthAfter(date, 1).getTime() };
}
