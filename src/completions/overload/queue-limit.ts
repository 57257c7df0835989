/** So many may always wait; while calls are turned away, so many. */
const LEAST_CALLS = 128;
const LEAST_WHILE_SHED = 64;
/** A call may wait so long in all, or so many times longer than it takes without a queue, whichever is more. */
const LONGEST_MS = 50;
const LONGEST_TIMES = 4;
/** While calls are turned away the queue is kept shorter than the one that was too long. */
const SHORTER = 0.4;
/** What is measured is smoothed over so long. */
const SMOOTH_MS = 75;
const PACE_SMOOTH_MS = 500;
/**
 * The best pace is forgotten over so long. The pace of the moment would not do: a queue that is too short for the time
 * that a call takes slows the pace down, and would be made shorter for that.
 */
const PACE_FORGOTTEN_MS = 5000;
/** A queue that has been too long for so long, while calls passed, stands, and is no burst. */
const STANDS_MS = 75;
/** While nothing passes at all, the database may stand still for a moment: that is given so many times longer. */
const STANDSTILL_TIMES = 13;
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
  private bestPace = 0;
  private passedAt = 0;
  private tooLongMs = 0;

  look({ now, waiting, passed, unqueuedMs }: QueueLook): void {
    const ms = now - (this.lookedAt ?? now);
    this.lookedAt = now;
    if (ms <= 0) return;
    this.waiting = smoothed(this.waiting, waiting, ms, SMOOTH_MS);
    this.passedPerMs = smoothed(this.passedPerMs, passed / ms, ms, SMOOTH_MS);
    this.pace = smoothed(this.pace, passed / ms, ms, PACE_SMOOTH_MS);
    this.bestPace = Math.max(this.pace, smoothed(this.bestPace, this.pace, ms, PACE_FORGOTTEN_MS));
    const longest = Math.max(LONGEST_MS, LONGEST_TIMES * unqueuedMs);
    const isTooLong = waiting > LEAST_CALLS && this.waiting > longest * this.passedPerMs;
    const stood = passed > 0 ? Math.min(now - this.passedAt, STANDS_MS / 2) : ms / STANDSTILL_TIMES;
    if (passed > 0) this.passedAt = now;
    this.tooLongMs = isTooLong ? this.tooLongMs + stood : 0;
    if (this.most === Infinity && this.tooLongMs >= STANDS_MS) this.shedAt = now;
    else if (this.most === Infinity) return;
    this.most = now - this.shedAt < CALM_MS ? Math.max(LEAST_WHILE_SHED, SHORTER * longest * this.bestPace) : Infinity;
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
