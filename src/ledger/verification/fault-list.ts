const MAX_FAULTS = 100;

export class FaultList {
  readonly all: string[] = [];

  get room(): number {
    return MAX_FAULTS - this.all.length;
  }

  add(faults: readonly { fault: string }[]): void {
    this.all.push(...faults.slice(0, this.room).map(({ fault }) => fault));
  }
}
