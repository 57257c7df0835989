const MAX_FAULTS = 100;

export class FaultList {
  private readonly faults: string[] = [];

  get room(): number {
    return MAX_FAULTS - this.faults.length;
  }

  add(faults: readonly { fault: string }[]): void {
    this.faults.push(...faults.slice(0, this.room).map(({ fault }) => fault));
  }

  get all(): readonly string[] {
    return this.faults;
  }
}
