import type { Flow } from '../client/upstream.types.js';

/**
 * Calls `step` for each position from 0 to `last`, once every `ms`, or in batches if `ms` is shorter than a timer's
 * resolution.
 */
export class Pace implements Flow {
  private position = 0;
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  private paused = true;

  constructor(
    private readonly ms: number,
    private readonly last: number,
    private readonly step: (position: number) => void,
  ) {}

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.dueAt = performance.now() + this.ms;
    this.timer = setTimeout(() => this.advance(), this.ms);
  }

  pause(): void {
    this.paused = true;
    clearTimeout(this.timer);
  }

  private advance(): void {
    for (const now = performance.now(); this.isGoing && this.dueAt <= now; this.dueAt += this.ms) {
      this.step(this.position++);
    }
    if (this.isGoing) this.timer = setTimeout(() => this.advance(), Math.max(0, this.dueAt - performance.now()));
  }

  private get isGoing(): boolean {
    return !this.paused && this.position <= this.last;
  }
}
