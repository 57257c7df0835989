import type pg from 'pg';
import {
  type BatchFormat,
  isRowFault,
  isTimeout,
  mayBeOfSomeRows,
  type Patience,
  resolveAll,
  storeBatch,
  type WaitingRow,
  withoutUnwanted,
} from './batch.js';

export interface PerCallerWriterOptions<Row, Result> extends Pick<Patience<Row, Result>, 'patienceMs' | 'givenUp'> {
  pool: pg.Pool;
  /** `limitMs`: the timeout of statements on the pool; `slowLimitMs`: for callers who timed out recently. */
  limitMs: number;
  slowLimitMs: number;
  /** One format for each concurrent statement, as a format is used by one statement at a time. */
  formats: readonly BatchFormat<Row, Result>[];
  /** The rows of one caller fail together. */
  callerOf(row: Row): string;
  failed(row: WaitingRow<Row, Result>, error: unknown): void;
  giveBack(rows: readonly WaitingRow<Row, Result>[]): void;
  onTimeout?(error: unknown, caller: string, rows: readonly Row[]): void;
  onWritten?(rows: number, ms: number): void;
}

interface Group<Row, Result> {
  readonly caller: string;
  waiting: WaitingRow<Row, Result>[];
  taken: readonly WaitingRow<Row, Result>[];
  /** Rows in the next statement; reduced after one that Postgres rejected. */
  most: number;
}

const MAX_ROWS = 500;
/** After a timeout, a caller's rows bypass the common statement for this long. */
const SLOW_MS = 5000;
const LOOK_MS = 50;
/** When all rows of several callers fail for this long, the cause is not a caller. */
const ALL_FAIL_MS = 2000;

/**
 * Writes rows with one statement per caller, after a common statement has failed, so that only the rows of the caller
 * that caused it fail. A statement that times out is retried with a longer timeout until its rows have waited too long.
 * One statement is always reserved for callers that were not slow.
 */
export class PerCallerWriter<Row, Result> {
  private readonly groups = new Map<string, Group<Row, Result>>();
  private readonly idle: BatchFormat<Row, Result>[];
  /** The time of each caller's last timeout, oldest first. */
  private readonly slow = new Map<string, number>();
  private slowRunning = 0;
  private streak: { since: number; readonly callers: Set<string> } | null = null;
  private timer: NodeJS.Timeout | undefined;
  private flushed: (() => void)[] = [];

  constructor(private readonly options: PerCallerWriterOptions<Row, Result>) {
    this.idle = [...options.formats];
  }

  get size(): number {
    let size = 0;
    for (const { waiting, taken } of this.groups.values()) size += waiting.length + taken.length;
    return size;
  }

  get slowCallers(): number {
    this.forgetSlow();
    return this.slow.size;
  }

  /** When writing began to fail for all of several callers; null if it did not. */
  get failingSince(): number | null {
    if (this.streak === null || this.slowCallers === 0 || this.streak.callers.size < 2) return null;
    return performance.now() - this.streak.since >= ALL_FAIL_MS ? this.streak.since : null;
  }

  isSlow(row: Row): boolean {
    if (this.slow.size === 0) return false;
    this.forgetSlow();
    return this.slow.has(this.options.callerOf(row));
  }

  add(rows: readonly WaitingRow<Row, Result>[]): void {
    for (const row of withoutUnwanted(rows)) this.groupOf(this.options.callerOf(row.row)).waiting.push(row);
    this.begin();
    this.timer ??= setTimeout(() => this.look(), LOOK_MS).unref();
  }

  /** Adds the rows of a failed statement. If all are of one caller, that caller is marked as slow. */
  addFailed(rows: readonly WaitingRow<Row, Result>[], error: unknown): void {
    const callers = new Set(rows.map(({ row }) => this.options.callerOf(row)));
    const [caller] = callers;
    if (caller !== undefined && callers.size === 1 && isTimeout(error)) this.markSlow(caller);
    this.add(rows);
  }

  /** Called when rows were written, here or by the common statement. */
  served(): void {
    this.streak = null;
  }

  async flush(): Promise<void> {
    if (this.groups.size > 0) await new Promise<void>((resolve) => this.flushed.push(resolve));
  }

  private groupOf(caller: string): Group<Row, Result> {
    const group = this.groups.get(caller) ?? { caller, waiting: [], taken: [], most: MAX_ROWS };
    this.groups.set(caller, group);
    return group;
  }

  private begin(): void {
    for (;;) {
      const group = this.idle.length > 0 && this.next();
      const format = group && this.idle.pop();
      if (!format) return;
      void this.write(group, format);
    }
  }

  /** Callers that were not slow come first; slow callers take turns. */
  private next(): Group<Row, Result> | undefined {
    let slow: Group<Row, Result> | undefined;
    for (const group of this.groups.values()) {
      if (group.waiting.length === 0 || group.taken.length > 0) continue;
      if (!this.slow.has(group.caller)) return group;
      slow ??= group;
    }
    return this.slowRunning < this.options.formats.length - 1 ? slow : undefined;
  }

  private async write(group: Group<Row, Result>, format: BatchFormat<Row, Result>): Promise<void> {
    const wasSlow = this.slow.has(group.caller);
    if (wasSlow) this.slowRunning++;
    group.taken = group.waiting.splice(0, group.most);
    const beganAt = performance.now();
    try {
      const results = await (wasSlow
        ? this.storeSlowly(format, group.taken)
        : storeBatch(this.options.pool, format, group.taken));
      this.options.onWritten?.(group.taken.length, performance.now() - beganAt);
      resolveAll(group.taken, results);
      this.served();
    } catch (error) {
      this.fail(group, error, beganAt);
    }
    group.taken = [];
    if (wasSlow) this.slowRunning--;
    this.idle.push(format);
    this.end(group);
    this.begin();
  }

  private async storeSlowly(
    format: BatchFormat<Row, Result>,
    batch: readonly WaitingRow<Row, Result>[],
  ): Promise<readonly Result[]> {
    const { pool, limitMs, slowLimitMs } = this.options;
    const client = await pool.connect();
    try {
      await client.query(`SET statement_timeout = ${slowLimitMs}`);
      return await storeBatch(client, format, batch);
    } finally {
      const isUsable = await client.query(`SET statement_timeout = ${limitMs}`).then(
        () => true,
        () => false,
      );
      client.release(!isUsable);
    }
  }

  private fail(group: Group<Row, Result>, error: unknown, beganAt: number): void {
    const { taken, caller } = group;
    if (isTimeout(error)) {
      this.markSlow(caller);
      this.streak ??= { since: beganAt, callers: new Set() };
      this.streak.callers.add(caller);
      group.waiting.unshift(...withoutUnwanted(taken));
      this.options.onTimeout?.(
        error,
        caller,
        taken.map(({ row }) => row),
      );
    } else if (isRowFault(error) && taken.length > 1) {
      group.most = Math.max(1, taken.length >> 1);
      group.waiting.unshift(...withoutUnwanted(taken));
    } else if (isRowFault(error) || mayBeOfSomeRows(error)) {
      for (const row of taken) this.options.failed(row, error);
    } else {
      this.options.giveBack(taken);
    }
  }

  /** A group with more rows goes to the end of the queue. */
  private end(group: Group<Row, Result>): void {
    this.groups.delete(group.caller);
    if (group.waiting.length > 0) this.groups.set(group.caller, group);
    else if (this.groups.size === 0) for (const resolve of this.flushed.splice(0)) resolve();
  }

  private look(): void {
    this.timer = undefined;
    const dueSince = performance.now() - this.options.patienceMs;
    for (const group of [...this.groups.values()]) {
      for (const row of [...group.taken, ...group.waiting]) {
        const { waiter, since } = row;
        if (waiter === null || since > dueSince) continue;
        row.waiter = null;
        this.options.givenUp(row, waiter);
      }
      group.waiting = withoutUnwanted(group.waiting);
      if (group.taken.length === 0 && group.waiting.length === 0) this.end(group);
    }
    if (this.groups.size > 0) this.timer ??= setTimeout(() => this.look(), LOOK_MS).unref();
  }

  private markSlow(caller: string): void {
    this.slow.delete(caller);
    this.slow.set(caller, performance.now());
  }

  private forgetSlow(): void {
    const now = performance.now();
    for (const [caller, at] of this.slow) {
      if (now - at <= SLOW_MS) return;
      this.slow.delete(caller);
    }
  }
}
