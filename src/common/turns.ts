/** Runs a few works at the same time; the others wait in order. */
export class Turns {
  private running = 0;
  private readonly others: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  get waiting(): number {
    return this.others.length;
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** Resolves to a function to call once when the work has ended. */
  async begin(): Promise<() => void> {
    if (this.running < this.atOnce) this.running++;
    else await new Promise<void>((resolve) => this.others.push(resolve));
    return () => this.end();
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const end = await this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  private end(): void {
    const next = this.others.shift();
    if (next) next();
    else this.running--;
  }
}
