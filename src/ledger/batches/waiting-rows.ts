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
  readonly isKept: boolean;
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
  return { row, since: performance.now(), waiter, isKept: waiter === null, wasSent: false };
}

export function withoutUnwanted<Row, Result>(rows: readonly WaitingRow<Row, Result>[]): WaitingRow<Row, Result>[] {
  return rows.filter(({ waiter, isKept }) => waiter !== null || isKept);
}
