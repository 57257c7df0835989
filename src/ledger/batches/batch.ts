import type pg from 'pg';

export interface Waiter<Result> {
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** For a row that could neither be written in time nor be rescued: the `performance.now()` at which retries end. */
  until?: number;
}

export interface WaitingRow<Row, Result> {
  readonly row: Row;
  readonly since: number;
  /** Null: nobody waits for it any more. */
  waiter: Waiter<Result> | null;
  readonly isRetained: boolean;
  /** A statement contained it, so it may be stored without confirmation. */
  wasSent: boolean;
}

export interface Patience<Row, Result> {
  patienceMs: number;
  most: number;
  givenUp(row: WaitingRow<Row, Result>, waiter: Waiter<Result>): void;
}

/** Rows in order of arrival. A row that has waited too long is given up (`givenUp`). */
export class WaitingRows<Row, Result> {
  private rows: WaitingRow<Row, Result>[] = [];
  private taken: readonly WaitingRow<Row, Result>[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly patience: Patience<Row, Result>) {}

  get size(): number {
    return this.rows.length;
  }

  /** Includes rows of the running statement. */
  get all(): readonly Row[] {
    return withoutUnwanted([...this.taken, ...this.rows]).map(({ row }) => row);
  }

  get hasRoom(): boolean {
    return this.rows.length < this.patience.most;
  }

  add(row: WaitingRow<Row, Result>): void {
    this.rows.push(row);
    // One timer for all rows: under load it is rarely restarted.
    if (row.waiter) this.timer ??= setTimeout(() => this.expire(), this.patience.patienceMs).unref();
  }

  take(most: number): readonly WaitingRow<Row, Result>[] {
    this.taken = this.rows.splice(0, most);
    return this.taken;
  }

  /** Puts rows back at the front, without abandoned ones. */
  putBack(rows: readonly WaitingRow<Row, Result>[]): void {
    this.taken = [];
    this.rows.unshift(...withoutUnwanted(rows));
  }

  join(rows: readonly WaitingRow<Row, Result>[]): void {
    this.rows.unshift(...withoutUnwanted(rows));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.expire(), 0).unref();
  }

  private expire(): void {
    this.timer = undefined;
    const dueSince = performance.now() - this.patience.patienceMs;
    const isDue = ({ waiter, since }: WaitingRow<Row, Result>) => waiter !== null && since <= dueSince;
    const due = [...this.taken, ...this.rows].filter(isDue);
    if (due.length > 0) this.rows = this.rows.filter((row) => !isDue(row));
    for (const row of due) {
      const { waiter } = row;
      row.waiter = null;
      if (waiter) this.patience.givenUp(row, waiter);
    }
    const next = [...this.taken, ...this.rows].find(({ waiter }) => waiter !== null);
    if (next) this.timer = setTimeout(() => this.expire(), Math.max(1, next.since - dueSince)).unref();
  }
}

export function waitingRow<Row, Result>(row: Row, waiter: Waiter<Result> | null): WaitingRow<Row, Result> {
  return { row, since: performance.now(), waiter, isRetained: waiter === null, wasSent: false };
}

export function withoutUnwanted<Row, Result>(rows: readonly WaitingRow<Row, Result>[]): WaitingRow<Row, Result>[] {
  return rows.filter(({ waiter, isRetained }) => waiter !== null || isRetained);
}

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
    if (!isSecond && format.shouldRebuildAfter?.(error)) return await storeBatch(pool, format, batch, true);
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

/** Converts rows to a statement, and its result to one result per row. */
export interface BatchFormat<Row, Result> {
  /** Must be safe to repeat. `isRepeated`: some rows may be stored already. The list may be empty. */
  query(rows: readonly Row[], isRepeated: boolean): pg.QueryConfig;
  /** One per row, in order. */
  results(answer: pg.QueryResult, rows: readonly Row[]): readonly Result[];
  /** Whether a statement for the usual case failed without effect; the next statement is then built differently. */
  shouldRebuildAfter?(error: unknown): boolean;
}

/** Rows as JSON texts, for a statement that takes one JSON array and returns no results. */
export function jsonRows(name: string, text: string): BatchFormat<string, void> {
  return {
    query: (rows) => ({ name, text, values: [`[${rows.join(',')}]`] }),
    results: () => [],
  };
}

/** A row could not be written in time, or too many were waiting. */
export class NotWrittenError extends Error {
  constructor(
    /** The row was sent, and may be stored now or later. */
    readonly mayBeStored: boolean,
    cause: unknown,
  ) {
    super('the row could not be written in time', { cause });
  }
}
