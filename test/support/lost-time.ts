import { clearInterval, setInterval } from 'node:timers';

const EVERY_MS = 20;
/** The accuracy of timers on an idle machine. */
const EXACT_MS = 5;

/**
 * How long this process was not scheduled since it was created, in ms: on a busy machine, events are delayed by that
 * much.
 */
export class LostTime {
  private total = 0;
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), EVERY_MS);

  get ms(): number {
    this.look();
    return this.total;
  }

  /** Stops counting. */
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
