import type pg from 'pg';
import { isDatabaseUnavailable } from '../../common/gateway.error.js';
import {
  type BatchFormat,
  isRowFault,
  mayBeOfSomeRows,
  NotWrittenError,
  resolveAll,
  storeBatch,
  type Waiter,
  type WaitingRow,
  WaitingRows,
  waitingRow,
} from './batch.js';
import { PerCallerWriter, type PerCallerWriterOptions } from './per-caller-writer.js';

export interface BatchWriterOptions<Row, Result> {
  pool: pg.Pool;
  format: BatchFormat<Row, Result>;
  patienceMs: number;
  mostWaiting: number;
  /** Once a failure has lasted this long, new rows are rejected immediately. */
  rejectsAfterMs?: number;
  onFailure?(error: unknown): void;
  /** A statement with this many rows starts without gathering more, even under load. */
  enough?(): number;
  /** Tries to fix the cause of an error. Resolves to whether a retry makes sense. */
  repair?(error: unknown, rows: readonly Row[]): Promise<boolean>;
  onWritten?(rows: number, ms: number): void;
  /** Maps the error to the one that the row's waiter gets. */
  toCallerError?(error: unknown, row: Row): Error;
  /** Stores a row that was not written in time elsewhere and settles its waiter, which otherwise gets the error. */
  rescue?(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void;
  /** Writes the rows of a slow statement again per caller; without it they are retried together. */
  perCaller?: PerCallerOptions<Row, Result>;
}

interface PerCallerOptions<Row, Result>
  extends Pick<
    PerCallerWriterOptions<Row, Result>,
    'pool' | 'limitMs' | 'slowLimitMs' | 'formats' | 'callerOf' | 'onTimeout' | 'onWritten'
  > {
  onPerCaller?(error: unknown, rows: number): void;
}

const MAX_ROWS = 500;
/** If the last statement had this many rows, the next one gathers more, as a statement costs far more than a row. */
const MANY_ROWS = 8;
const GATHER_MS = 8;
/** After this long without a statement, the next one does not gather rows. */
const PAUSE_MS = 3;
/** Between retries of a failed statement. The first retry is immediate, on a connection that may be new. */
const RETRY_MS = 100;
/** After this long without a statement, the writer checks that it can write. */
const IDLE_MS = 1000;

/**
 * Writes rows with one statement at a time; rows that arrive meanwhile go into the next one. A row's promise resolves
 * when it is stored. A failing statement is retried until it works, and each row waits up to `patienceMs`.
 */
export class BatchWriter<Row, Result = void> {
  private readonly rows: WaitingRows<Row, Result>;
  private readonly perCaller: PerCallerWriter<Row, Result> | undefined;
  private scheduled = false;
  private writing = false;
  private stopped = false;
  private idle: (() => void)[] = [];
  private lastRows = 0;
  /** Set while gathering rows under load. */
  private gathering: NodeJS.Timeout | undefined;
  /** Start time of the first failed statement since the last success; null if none failed. */
  private failingSince: number | null = null;
  private failure: unknown;
  private beganAt = 0;
  private endedAt = 0;
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly options: BatchWriterOptions<Row, Result>) {
    const patience = {
      patienceMs: options.patienceMs,
      most: options.mostWaiting,
      givenUp: ({ row, wasSent }: WaitingRow<Row, Result>, waiter: Waiter<Result>) =>
        this.giveUp(row, waiter, new NotWrittenError(wasSent, this.failure)),
    };
    this.rows = new WaitingRows<Row, Result>(patience);
    if (!options.perCaller) return;
    this.perCaller = new PerCallerWriter<Row, Result>({
      ...patience,
      ...options.perCaller,
      failed: ({ row, waiter }, error) => waiter?.reject(this.callerError(error, row)),
      giveBack: (rows) => this.takeBack(rows),
    });
  }

  /** Rejects when Postgres rejects the row, or with a `NotWrittenError`. */
  write(row: Row): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.hasRoomFor(row) && !this.isGivenUp) this.add(row, { resolve, reject });
      else this.giveUp(row, { resolve, reject }, new NotWrittenError(false, this.failure));
    });
  }

  retry(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void {
    if (this.hasRoomFor(row) && performance.now() < (waiter.until ?? 0)) this.add(row, waiter);
    else waiter.reject(this.callerError(error, row));
  }

  /** Writes a row without a waiter, however long it takes; false when there is no room. */
  keep(row: Row): boolean {
    if (!this.hasRoomFor(row)) return false;
    this.add(row, null);
    return true;
  }

  /** The estimated ms until a new row is stored; infinite while nothing can be written. */
  get delayMs(): number {
    if (this.failsSince !== null) return Number.POSITIVE_INFINITY;
    return Math.max(this.endedAt - this.beganAt, this.writing ? performance.now() - this.beganAt : 0);
  }

  /** When the database became unavailable (`performance.now()`); null: available, or failing for another reason. */
  get unavailableSince(): number | null {
    return isDatabaseUnavailable(this.failure) ? this.failingSince : null;
  }

  get slowCallers(): number {
    return this.perCaller?.slowCallers ?? 0;
  }

  /** Checks that rows can be written, now and whenever nothing was written for a while. */
  async startWatching(): Promise<void> {
    await this.execute([]).catch(() => undefined);
    this.watch = setInterval(() => {
      if (performance.now() - this.endedAt >= IDLE_MS) this.schedule();
    }, IDLE_MS).unref();
  }

  /** Call it when the connection was lost while idle. */
  suspect(error: unknown): void {
    this.fail(error, performance.now());
    this.schedule();
  }

  async flush(): Promise<void> {
    if (this.writing || this.rows.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
    await this.perCaller?.flush();
  }

  /** Stops writing and returns the waiting rows, except the rows written per caller. */
  stop(): readonly Row[] {
    this.stopped = true;
    clearInterval(this.watch);
    return this.rows.all;
  }

  private hasRoomFor(row: Row): boolean {
    return this.perCaller?.isSlow(row) ? this.perCaller.size < this.options.mostWaiting : this.rows.hasRoom;
  }

  private get failsSince(): number | null {
    return this.failingSince ?? this.perCaller?.failingSince ?? null;
  }

  private get isGivenUp(): boolean {
    const { rejectsAfterMs = Number.POSITIVE_INFINITY } = this.options;
    const { failsSince } = this;
    return failsSince !== null && performance.now() - failsSince > rejectsAfterMs;
  }

  private add(row: Row, waiter: Waiter<Result> | null): void {
    const waiting = waitingRow(row, waiter);
    if (this.perCaller?.isSlow(row)) {
      this.perCaller.add([waiting]);
      return;
    }
    this.rows.add(waiting);
    if (this.gathering && this.hasEnough) this.endGathering();
    else this.schedule();
  }

  private giveUp(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void {
    if (this.options.rescue) this.options.rescue(row, waiter, error);
    else waiter.reject(this.callerError(error, row));
  }

  private takeBack(rows: readonly WaitingRow<Row, Result>[]): void {
    this.rows.join(rows);
    this.schedule();
  }

  /** Waits until the end of this turn of the event loop, or under load a few milliseconds longer. */
  private schedule(): void {
    if (this.writing || this.scheduled || this.stopped) return;
    this.scheduled = true;
    const isBusy = this.lastRows >= MANY_ROWS && performance.now() - this.endedAt < PAUSE_MS;
    if (isBusy && !this.hasEnough) this.gathering = setTimeout(() => this.endGathering(), GATHER_MS);
    else setImmediate(() => this.begin());
  }

  private endGathering(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    setImmediate(() => this.begin());
  }

  private get hasEnough(): boolean {
    return this.rows.size >= (this.options.enough?.() ?? Number.POSITIVE_INFINITY);
  }

  private begin(): void {
    this.scheduled = false;
    void this.writeWaiting();
  }

  private async writeWaiting(): Promise<void> {
    this.writing = true;
    for (let tries = 0; !this.stopped; tries++) {
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      const batch = this.rows.take(MAX_ROWS);
      this.lastRows = batch.length;
      const left = await this.store(batch);
      this.rows.putBack(left);
      if (this.failingSince === null) break;
    }
    this.writing = false;
    if (this.rows.size > 0) this.schedule();
    else for (const resolve of this.idle.splice(0)) resolve();
  }

  /** Halves a batch with a rejected row until that row is alone. Returns the rows still to be written. */
  private async store(batch: readonly WaitingRow<Row, Result>[]): Promise<readonly WaitingRow<Row, Result>[]> {
    let results: readonly Result[];
    try {
      results = await this.execute(batch);
    } catch (error) {
      if (this.isWrittenPerCaller(batch, error)) {
        this.perCaller?.addFailed(batch, error);
        return [];
      }
      if (!isRowFault(error)) return batch;
      if (batch.length > 1) {
        const middle = batch.length >> 1;
        return [...(await this.store(batch.slice(0, middle))), ...(await this.store(batch.slice(middle)))];
      }
      for (const { row, waiter } of batch) waiter?.reject(this.callerError(error, row));
      return [];
    }
    resolveAll(batch, results);
    return [];
  }

  private async execute(batch: readonly WaitingRow<Row, Result>[], isRepaired = false): Promise<readonly Result[]> {
    const { pool, format } = this.options;
    this.beganAt = performance.now();
    try {
      const results = await storeBatch(pool, format, batch);
      this.failingSince = null;
      if (batch.length > 0) {
        this.perCaller?.served();
        this.options.onWritten?.(batch.length, performance.now() - this.beganAt);
      }
      return results;
    } catch (error) {
      if (!isRepaired && (await this.repair(error, batch))) return await this.execute(batch, true);
      this.failure = error;
      if (isRowFault(error)) this.failingSince = null;
      else if (this.isWrittenPerCaller(batch, error)) this.options.perCaller?.onPerCaller?.(error, batch.length);
      else this.fail(error, this.beganAt);
      throw error;
    } finally {
      this.endedAt = performance.now();
    }
  }

  private async repair(error: unknown, batch: readonly WaitingRow<Row, Result>[]): Promise<boolean> {
    const rows = batch.map(({ row }) => row);
    return (await this.options.repair?.(error, rows)) ?? false;
  }

  /** If a statement without rows fails, the cause is the database. */
  private isWrittenPerCaller(batch: readonly WaitingRow<Row, Result>[], error: unknown): boolean {
    return this.perCaller !== undefined && batch.length > 0 && mayBeOfSomeRows(error);
  }

  private callerError(error: unknown, row: Row): unknown {
    return this.options.toCallerError?.(error, row) ?? error;
  }

  private fail(error: unknown, since: number): void {
    this.failure = error;
    this.failingSince ??= since;
    this.options.onFailure?.(error);
  }
}
