import { readFileSync } from 'node:fs';

/**
 * How much of a core a process got since this was made, of what its first thread wanted: less than 1 where other
 * processes have the cores. What takes it a second then would take that part of a second on a machine of its own.
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

  /** In ns: on a core, and ready to be. A system that does not tell it shares nothing. */
  private times(): number[] {
    try {
      return readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ').slice(0, 2).map(Number);
    } catch {
      return [0, 0];
    }
  }
}
