import type pg from 'pg';

interface Waiting {
  /** The row as JSON text. */
  row: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const MAX_ROWS = 500;
/** A statement that fails sooner than this met a broken connection; a slower one has had its time. */
const QUICK_FAILURE_MS = 1000;

/** Under load a statement waits this long for company: each costs far more than a row in it. */
const GATHER_MS = 2;

/**
 * Writes rows with one statement at a time: all rows that wait when the statement before has ended go together. A row's
 * promise resolves when it is stored and rejects when it could not be.
 */
export class BatchWriter {
  private waiting: Waiting[] = [];
  private scheduled = false;
  private writing = false;
  private idle: (() => void)[] = [];
  /** The last statement had more than one row: there is load. */
  private isBusy = false;

  /** `statement` takes one parameter: the rows as a JSON array. It must be harmless to repeat. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly name: string,
    private readonly statement: string,
  ) {}

  write(row: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      this.schedule();
    });
  }

  /** Resolves once nothing waits any more. */
  async flush(): Promise<void> {
    if (this.writing || this.waiting.length > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  /** Gathers what this turn of the event loop brings, or under load the next two milliseconds. */
  private schedule(): void {
    if (this.writing || this.scheduled) return;
    this.scheduled = true;
    const write = (): void => {
      this.scheduled = false;
      void this.writeWaiting();
    };
    if (this.isBusy) setTimeout(write, GATHER_MS);
    else setImmediate(write);
  }

  private async writeWaiting(): Promise<void> {
    this.writing = true;
    const batch = this.waiting.splice(0, MAX_ROWS);
    this.isBusy = batch.length > 1;
    await this.store(batch);
    this.writing = false;
    if (this.waiting.length > 0) this.schedule();
    else for (const resolve of this.idle.splice(0)) resolve();
  }

  /** A batch with a row that Postgres refuses is halved until that row stands alone; other failures fail it whole. */
  private async store(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.execute(batch);
    } catch (error) {
      if (batch.length > 1 && isRowFault(error)) {
        const middle = batch.length >> 1;
        await this.store(batch.slice(0, middle));
        await this.store(batch.slice(middle));
      } else {
        for (const { reject } of batch) reject(error);
      }
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  /** Once more if the connection was broken: the pool has a new one then. */
  private async execute(batch: readonly Waiting[]): Promise<void> {
    const query = { name: this.name, text: this.statement, values: [`[${batch.map(({ row }) => row).join(',')}]`] };
    const beganAt = performance.now();
    try {
      await this.pool.query(query);
    } catch (error) {
      if (isRowFault(error) || performance.now() - beganAt > QUICK_FAILURE_MS) throw error;
      await this.pool.query(query);
    }
  }
}

/** Postgres refuses what stands in a row (SQLSTATE classes 21, 22 and 23): to try again is no use. */
export function isRowFault(error: unknown): boolean {
  return /^2[123]/.test((error as { code?: string }).code ?? '');
}
