import { clearInterval, setInterval } from 'node:timers';

const EVERY_MS = 20;
/** Timers are no more exact than that on a machine that has nothing else to do. */
const EXACT_MS = 5;

/**
 * How long this process did not get to run since it was made, in ms: on a machine with other work, what it waits for
 * comes later by that much.
 */
export class LostTime {
  private total = 0;
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), EVERY_MS);

  /** Up to now. */
  get ms(): number {
    this.look();
    return this.total;
  }

  /** Ends the counting. */
  stop(): number {
    clearInterval(this.timer);
    return this.ms;
  }

  private look(): void {
    const late = performance.now() - this.last - EVERY_MS;
    if (late > EXACT_MS) this.total += late;
    this.last = performance.now();
  }
}
