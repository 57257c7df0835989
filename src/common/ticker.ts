import { Slots, type Slotted } from './slots.js';

export interface Ticking extends Slotted {
  /** `now`: `performance.now()`. */
  tick(now: number): void;
}

/**
 * One timer for many deadlines. Separate timers would cost several per call, most of which never fire; checking a
 * thousand deadlines takes a few microseconds.
 */
class Ticker {
  private readonly clocks = new Slots<Ticking>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  add(clock: Ticking): void {
    this.clocks.add(clock);
    this.timer ??= setInterval(() => this.tick(), this.ms);
  }

  remove(clock: Ticking): void {
    this.clocks.remove(clock);
  }

  private tick(): void {
    const now = performance.now();
    for (const clock of this.clocks) clock.tick(now);
    if (this.clocks.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

export const TICK_MS = 20;

/** Deadlines are noticed at most one tick late. */
export const ticker = new Ticker(TICK_MS);
