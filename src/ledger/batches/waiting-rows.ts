/** Who waits for a row. */
export interface Waiter<Result> {
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** `performance.now()` until which a row is tried again that could not be written in time, nor kept elsewhere. */
  until?: number;
}

/** A row on its way to the database. */
export interface WaitingRow<Row, Result> {
  readonly row: Row;
  /** `performance.now()` */
  readonly since: number;
  /** Null: nobody waits for it, or not any more. */
  waiter: Waiter<Result> | null;
  /** Written however long it takes. */
  readonly isKept: boolean;
  /** A statement had it, so it may be stored although nobody said so. */
  wasSent: boolean;
}

export interface Patience<Row, Result> {
  /** How long anybody waits for a row. */
  patienceMs: number;
  /** Rows that may wait; there is no room for more. */
  most: number;
  /** A row whose time is over, and who waited for it. */
  givenUp(row: WaitingRow<Row, Result>, waiter: Waiter<Result>): void;
}

/** Rows in the order in which they came. Who waits for one is let go when its time is over. */
export class WaitingRows<Row, Result> {
  private rows: WaitingRow<Row, Result>[] = [];
  /** Taken out to be written. */
  private taken: readonly WaitingRow<Row, Result>[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly patience: Patience<Row, Result>) {}

  get size(): number {
    return this.rows.length;
  }

  /** Those of a statement that runs included. */
  get all(): readonly Row[] {
    return withoutUnwanted([...this.taken, ...this.rows]).map(({ row }) => row);
  }

  get hasRoom(): boolean {
    return this.rows.length < this.patience.most;
  }

  /** Behind all others. */
  add(row: WaitingRow<Row, Result>): void {
    this.rows.push(row);
    // One timer for all of them: under load it runs on from one to the next.
    if (row.waiter) this.timer ??= setTimeout(() => this.expire(), this.patience.patienceMs).unref();
  }

  /** The first ones; they are looked after until `take` or `putBack` is called. */
  take(most: number): readonly WaitingRow<Row, Result>[] {
    this.taken = this.rows.splice(0, most);
    return this.taken;
  }

  /** In front of all others, but for those that nobody wants any more. */
  putBack(rows: readonly WaitingRow<Row, Result>[]): void {
    this.taken = [];
    this.rows.unshift(...withoutUnwanted(rows));
  }

  /** In front of all others: rows that somebody else looked after. */
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

/** Without those that nobody waits for any more. */
export function withoutUnwanted<Row, Result>(rows: readonly WaitingRow<Row, Result>[]): WaitingRow<Row, Result>[] {
  return rows.filter(({ waiter, isKept }) => waiter !== null || isKept);
}
