import type pg from 'pg';
import type { OpenCall } from './call-record.types.js';
import { monthAfter, partitionOf } from './usage-months.js';

/** The ledger as a whole, whatever month. */
export const LEDGER = 'usage_calls';
const UNDEFINED_TABLE = '42P01';

/**
 * What statements are made with: the ids of the types in which rows are sent, and the months that have a partition. Each
 * server has its own: they are read anew with each connection, and a statement that was made for another server fails and
 * is made again.
 */
export class LedgerSchema {
  private readonly ids = { opening: 0, closing: 0 };
  private partitions: ReadonlySet<string> = new Set();
  /** The month that was asked for last. */
  private month = { name: LEDGER, from: 0, to: 0 };

  get opening(): number {
    return this.ids.opening;
  }

  get closing(): number {
    return this.ids.closing;
  }

  /** The partition that all of these calls belong in, which spares Postgres the search for it; else the whole ledger. */
  tableOf(calls: readonly Pick<OpenCall, 'startedAt'>[]): string {
    const [first] = calls;
    if (!first) return LEDGER;
    if (!this.isInMonth(first.startedAt)) this.month = toMonth(first.startedAt);
    const { name } = this.month;
    return this.partitions.has(name) && calls.every(({ startedAt }) => this.isInMonth(startedAt)) ? name : LEDGER;
  }

  async read(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const { rows } = await client.query<{ opening: number; closing: number; partitions: string[] }>(
      `SELECT 'usage_call_opening'::regtype::oid AS opening, 'usage_call_closing'::regtype::oid AS closing,
         ARRAY(SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = '${LEDGER}'::regclass) AS partitions`,
    );
    const [row] = rows;
    if (!row) return;
    this.ids.opening = row.opening;
    this.ids.closing = row.closing;
    this.partitions = new Set(row.partitions);
  }

  /** Whether a statement failed since a partition is not there any more. */
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
