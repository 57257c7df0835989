import { readFileSync } from 'node:fs';

/**
 * The share of the CPU time requested by the first thread of a process that it got since this was created; below 1 if
 * others use the cores. Multiply times by it to get those of an idle machine.
 */
export class CoreShare {
  private readonly before: readonly number[];

  constructor(private readonly pid: number | undefined) {
    this.before = this.times();
  }

  get part(): number {
    const [ran = 0, waited = 0] = this.times().map((now, index) => now - (this.before[index] ?? 0));
    return ran + waited > 0 ? ran / (ran + waited) : 1;
  }

  /** In ns: running, and waiting to run. Systems without these figures count as unshared. */
  private times(): number[] {
    try {
      return readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ').slice(0, 2).map(Number);
    } catch {
      return [0, 0];
    }
  }
}
