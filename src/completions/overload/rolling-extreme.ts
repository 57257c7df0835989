/** The least or greatest of the values of this period and the one before. */
export class RollingExtreme {
  private before: number | null = null;
  private now: number | null = null;
  private since = 0;

  constructor(
    private readonly better: (one: number, other: number) => number,
    private readonly periodMs: number,
  ) {}

  /** With a further value; at: ms. */
  with(value: number, at: number): number {
    if (at - this.since > this.periodMs) {
      this.before = this.now;
      this.now = null;
      this.since = at;
    }
    this.now = this.now === null ? value : this.better(this.now, value);
    return this.before === null ? this.now : this.better(this.before, this.now);
  }
}
