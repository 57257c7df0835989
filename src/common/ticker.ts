import { Slots, type Slotted } from './slots.js';

/** What is to be looked at as time passes. */
export interface Ticking extends Slotted {
  /** `now`: `performance.now()`. */
  tick(now: number): void;
}

/**
 * One timer for many clocks. Each clock of its own would cost several timers a call, of which none ever fires; to look at
 * a thousand of them takes a few microseconds.
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

/** For whatever has its time measured call by call: what is late is noticed a tick later at most. */
export const ticker = new Ticker(TICK_MS);
