/** So many may always wait. */
const LEAST_CALLS = 128;
/** A call may wait so long in all, or so many times longer than it takes without a queue, whichever is more. */
const LONGEST_MS = 100;
const LONGEST_TIMES = 4;
/** While calls are turned away the queue is kept shorter than the one that was too long. */
const SHORTER = 0.6;
/** What is measured is smoothed over so long. */
const SMOOTH_MS = 150;
const PACE_SMOOTH_MS = 1000;
/** A queue that has been too long by three looks at which calls passed stands, and is no burst. */
const STANDS = 1;
const LOOK_AT_PASSING = 1 / 3;
/** While nothing passes at all, the database may stand still for a moment: that is given so many looks. */
const LOOK_AT_STANDSTILL = 1 / 20;
/** When nobody was turned away for so long, there is no limit any more. */
const CALM_MS = 1000;

/** What is seen of the queue at a moment. */
export interface QueueLook {
  readonly now: number;
  /** Calls that wait. */
  readonly waiting: number;
  /** Calls that have waited to the end since the look before. */
  readonly passed: number;
  /** ms that a call waits where there is no queue. */
  readonly unqueuedMs: number;
}

/**
 * How many calls may wait within the gateway. By Little's law a call waits as long as those that wait take at the pace at
 * which they pass; what a call waits for its upstream, or takes to stream, is no part of it. No limit until the wait has
 * been too long for a while; from then on as many as pass in well less, until nobody is turned away any more.
 */
export class QueueLimit {
  /** Infinite while there is none. */
  most = Infinity;
  private lookedAt: number | null = null;
  private shedAt = 0;
  private waiting = 0;
  private passedPerMs = 0;
  private pace = 0;
  private tooLong = 0;

  look({ now, waiting, passed, unqueuedMs }: QueueLook): void {
    const ms = now - (this.lookedAt ?? now);
    this.lookedAt = now;
    if (ms <= 0) return;
    this.waiting = smoothed(this.waiting, waiting, ms, SMOOTH_MS);
    this.passedPerMs = smoothed(this.passedPerMs, passed / ms, ms, SMOOTH_MS);
    this.pace = smoothed(this.pace, passed / ms, ms, PACE_SMOOTH_MS);
    const longest = Math.max(LONGEST_MS, LONGEST_TIMES * unqueuedMs);
    const isTooLong = waiting > LEAST_CALLS && this.waiting > longest * this.passedPerMs;
    this.tooLong = isTooLong ? this.tooLong + (passed > 0 ? LOOK_AT_PASSING : LOOK_AT_STANDSTILL) : 0;
    if (this.most === Infinity && this.tooLong >= STANDS) this.shedAt = now;
    else if (this.most === Infinity) return;
    this.most = now - this.shedAt < CALM_MS ? Math.max(LEAST_CALLS, SHORTER * longest * this.pace) : Infinity;
  }

  /** A call was turned away for it. */
  shed(now: number): void {
    this.shedAt = now;
  }
}

/** The mean of what was seen, in which the last `overMs` weigh most. */
function smoothed(before: number, seen: number, ms: number, overMs: number): number {
  return seen + (before - seen) * Math.exp(-ms / overMs);
}
