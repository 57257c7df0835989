import type pg from 'pg';

interface Waiting {
  /** The row as JSON text. */
  row: string;
  resolve: () => void;
  reject: (error: Error) => void;
}

const MAX_ROWS = 500;

/**
 * Writes rows with one statement at a time: all rows that wait when the statement before has ended go together. A row's
 * promise resolves when it is stored and rejects when it could not be.
 */
export class BatchWriter {
  private waiting: Waiting[] = [];
  private scheduled = false;
  private writing = false;
  private idle: (() => void)[] = [];

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

  /** Gathers what this turn of the event loop brings before it writes. */
  private schedule(): void {
    if (this.writing || this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.drain();
    });
  }

  private async drain(): Promise<void> {
    if (this.writing) return;
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, MAX_ROWS);
      this.waiting = this.waiting.slice(MAX_ROWS);
      await this.store(batch);
    }
    this.writing = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }

  /** A statement that failed is repeated once, row by row: a broken connection is replaced, a bad row fails alone. */
  private async store(batch: Waiting[]): Promise<void> {
    try {
      await this.execute(batch.map(({ row }) => row));
    } catch {
      for (const { row, resolve, reject } of batch) await this.execute([row]).then(resolve, reject);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  private async execute(rows: string[]): Promise<void> {
    await this.pool.query({ name: this.name, text: this.statement, values: [`[${rows.join(',')}]`] });
  }
}
