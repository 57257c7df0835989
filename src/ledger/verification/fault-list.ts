const MOST_FAULTS = 100;

/** What a check has found; enough to see what is wrong, not all where everything is. */
export class FaultList {
  private readonly faults: string[] = [];

  /** How many more are wanted. */
  get room(): number {
    return MOST_FAULTS - this.faults.length;
  }

  add(faults: readonly { fault: string }[]): void {
    this.faults.push(...faults.slice(0, this.room).map(({ fault }) => fault));
  }

  get all(): readonly string[] {
    return this.faults;
  }
}
