import type pg from 'pg';
import { isDatabaseAway } from '../../common/database-away.js';
import { ApartLane, type ApartLaneOptions } from './apart-lane.js';
import type { BatchFormat } from './batch-format.js';
import { isRowFault, mayBeOfSomeRows, resolveAll, storeBatch } from './batch-statement.js';
import { NotWrittenError } from './not-written.error.js';
import { type Waiter, type WaitingRow, WaitingRows, waitingRow } from './waiting-rows.js';

export interface BatchWriterOptions<Row, Result> {
  pool: pg.Pool;
  format: BatchFormat<Row, Result>;
  /** How long a row is waited for while it cannot be written. */
  patienceMs: number;
  /** Rows that may wait. */
  mostWaiting: number;
  /** A failure that has lasted so long may last on: then nobody is made to wait for its end any more. */
  refusesAfterMs?: number;
  /** A statement failed; it is tried again. */
  onFailure?(error: unknown): void;
  /** With so many rows a statement waits for no more, though there is much load. */
  enough?(): number;
  /** Whether what a statement failed for was mended, so that it is worth another try. */
  isMended?(error: unknown, rows: readonly Row[]): Promise<boolean>;
  /** So many rows were written by a statement that took so long. */
  onWritten?(rows: number, ms: number): void;
  /** What who waits for a row is told in place of why it is not stored. */
  toTold?(error: unknown, row: Row): Error;
  /** Takes over a row that was not written in time, and tells who waits for it; without it they are told at once. */
  rescue?(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void;
  /** Where rows of a statement that is too slow are tried caller by caller; without it they are tried again together. */
  apart?: ApartOptions<Row, Result>;
}

interface ApartOptions<Row, Result>
  extends Pick<
    ApartLaneOptions<Row, Result>,
    'pool' | 'limitMs' | 'slowLimitMs' | 'formats' | 'callerOf' | 'onTimeout' | 'onWritten'
  > {
  /** A statement failed, and its rows are tried apart. */
  onApart?(error: unknown, rows: number): void;
}

const MAX_ROWS = 500;
/** Under much load, when the last one had so many rows, a statement waits for company: each costs far more than a row in it. */
const MANY_ROWS = 8;
/** For as long as this, unless it has enough before. */
const GATHER_MS = 8;
/** Who has written nothing for so long is not under load any more. */
const PAUSE_MS = 3;
/** Between the tries of a statement that failed; the first comes at once, since the pool may have a new connection. */
const RETRY_MS = 100;
/** Who has written nothing for so long looks whether it could. */
const IDLE_MS = 1000;

/**
 * Writes rows with one statement at a time: all rows that wait when the statement before has ended go together. A row's
 * promise resolves when it is stored. A statement that fails is tried until it works; each row is waited for a while.
 */
export class BatchWriter<Row, Result = void> {
  private readonly rows: WaitingRows<Row, Result>;
  private readonly apart: ApartLane<Row, Result> | undefined;
  private scheduled = false;
  private writing = false;
  private stopped = false;
  private idle: (() => void)[] = [];
  /** Of the last statement: many tell of much load. */
  private lastRows = 0;
  /** Under much load: until there are enough rows, or time is up. */
  private gathering: NodeJS.Timeout | undefined;
  /** When the first statement of those that failed in a row began; null while it works. */
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
    if (!options.apart) return;
    this.apart = new ApartLane<Row, Result>({
      ...patience,
      ...options.apart,
      failed: ({ row, waiter }, error) => waiter?.reject(this.told(error, row)),
      giveBack: (rows) => this.takeBack(rows),
    });
  }

  /** Rejects with what is told of what Postgres finds wrong in the row, or of a `NotWrittenError`. */
  write(row: Row): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.hasRoomFor(row) && !this.isGivenUp) this.add(row, { resolve, reject });
      else this.giveUp(row, { resolve, reject }, new NotWrittenError(false, this.failure));
    });
  }

  /** For rescues that fail: the row waits once more, unless its time is over. */
  retry(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void {
    if (this.hasRoomFor(row) && performance.now() < (waiter.until ?? 0)) this.add(row, waiter);
    else waiter.reject(this.told(error, row));
  }

  /** Writes a row that nobody waits for, however long it takes; false when there is no room for it. */
  keep(row: Row): boolean {
    if (!this.hasRoomFor(row)) return false;
    this.add(row, null);
    return true;
  }

  /** How long a row would take that came now, in ms, as far as can be told: infinite while nothing can be written. */
  get delayMs(): number {
    if (this.failsSince !== null) return Number.POSITIVE_INFINITY;
    return Math.max(this.endedAt - this.beganAt, this.writing ? performance.now() - this.beganAt : 0);
  }

  /** Since when the database has been away, by `performance.now()`; null: it is there, or fails for another reason. */
  get awaySince(): number | null {
    return isDatabaseAway(this.failure) ? this.failingSince : null;
  }

  /** Callers whose rows alone cannot be written in time. */
  get slowCallers(): number {
    return this.apart?.slowCallers ?? 0;
  }

  /** Looks whether rows could be written: now, and from now on whenever nothing was written for a while. */
  async startWatching(): Promise<void> {
    await this.execute([]).catch(() => undefined);
    this.watch = setInterval(() => {
      if (performance.now() - this.endedAt >= IDLE_MS) this.schedule();
    }, IDLE_MS).unref();
  }

  /** Its connection was lost while nothing was written. */
  suspect(error: unknown): void {
    this.fail(error, performance.now());
    this.schedule();
  }

  /** Resolves once nothing waits any more. */
  async flush(): Promise<void> {
    if (this.writing || this.rows.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
    await this.apart?.flush();
  }

  /** Gives up what is still waiting, and returns it, without what waits apart. */
  stop(): readonly Row[] {
    this.stopped = true;
    clearInterval(this.watch);
    return this.rows.all;
  }

  /** Slow callers leave others their room. */
  private hasRoomFor(row: Row): boolean {
    return this.apart?.isSlow(row) ? this.apart.size < this.options.mostWaiting : this.rows.hasRoom;
  }

  private get failsSince(): number | null {
    return this.failingSince ?? this.apart?.failingSince ?? null;
  }

  private get isGivenUp(): boolean {
    const { refusesAfterMs = Number.POSITIVE_INFINITY } = this.options;
    const { failsSince } = this;
    return failsSince !== null && performance.now() - failsSince > refusesAfterMs;
  }

  private add(row: Row, waiter: Waiter<Result> | null): void {
    const waiting = waitingRow(row, waiter);
    if (this.apart?.isSlow(row)) {
      this.apart.add([waiting]);
      return;
    }
    this.rows.add(waiting);
    if (this.gathering && this.hasEnough) this.endGathering();
    else this.schedule();
  }

  private giveUp(row: Row, waiter: Waiter<Result>, error: NotWrittenError): void {
    if (this.options.rescue) this.options.rescue(row, waiter, error);
    else waiter.reject(this.told(error, row));
  }

  private takeBack(rows: readonly WaitingRow<Row, Result>[]): void {
    this.rows.join(rows);
    this.schedule();
  }

  /** Gathers what this turn of the event loop brings, or under much load the next milliseconds; who was idle does not wait. */
  private schedule(): void {
    if (this.writing || this.scheduled || this.stopped) return;
    this.scheduled = true;
    const isBusy = this.lastRows >= MANY_ROWS && performance.now() - this.endedAt < PAUSE_MS;
    if (isBusy && !this.hasEnough) this.gathering = setTimeout(() => this.endGathering(), GATHER_MS);
    else setImmediate(() => this.begin());
  }

  /** With what else this turn of the event loop brings. */
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

  /** A batch with a row that Postgres refuses is halved until that row stands alone. Returns what is still to be written. */
  private async store(batch: readonly WaitingRow<Row, Result>[]): Promise<readonly WaitingRow<Row, Result>[]> {
    let results: readonly Result[];
    try {
      results = await this.execute(batch);
    } catch (error) {
      if (this.isForApart(batch, error)) {
        this.apart?.addFailed(batch, error);
        return [];
      }
      if (!isRowFault(error)) return batch;
      if (batch.length > 1) {
        const middle = batch.length >> 1;
        return [...(await this.store(batch.slice(0, middle))), ...(await this.store(batch.slice(middle)))];
      }
      for (const { row, waiter } of batch) waiter?.reject(this.told(error, row));
      return [];
    }
    resolveAll(batch, results);
    return [];
  }

  private async execute(batch: readonly WaitingRow<Row, Result>[], isMended = false): Promise<readonly Result[]> {
    const { pool, format } = this.options;
    this.beganAt = performance.now();
    try {
      const results = await storeBatch(pool, format, batch);
      this.failingSince = null;
      if (batch.length > 0) {
        this.apart?.served();
        this.options.onWritten?.(batch.length, performance.now() - this.beganAt);
      }
      return results;
    } catch (error) {
      if (!isMended && (await this.mend(error, batch))) return await this.execute(batch, true);
      this.failure = error;
      if (isRowFault(error)) this.failingSince = null;
      else if (this.isForApart(batch, error)) this.options.apart?.onApart?.(error, batch.length);
      else this.fail(error, this.beganAt);
      throw error;
    } finally {
      this.endedAt = performance.now();
    }
  }

  private async mend(error: unknown, batch: readonly WaitingRow<Row, Result>[]): Promise<boolean> {
    const rows = batch.map(({ row }) => row);
    return (await this.options.isMended?.(error, rows)) ?? false;
  }

  /** An empty statement that fails tells of the database, not of rows. */
  private isForApart(batch: readonly WaitingRow<Row, Result>[], error: unknown): boolean {
    return this.apart !== undefined && batch.length > 0 && mayBeOfSomeRows(error);
  }

  private told(error: unknown, row: Row): unknown {
    return this.options.toTold?.(error, row) ?? error;
  }

  private fail(error: unknown, since: number): void {
    this.failure = error;
    this.failingSince ??= since;
    this.options.onFailure?.(error);
  }
}
