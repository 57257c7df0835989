/** This many calls may always wait, and this many while calls are rejected. */
const LEAST_CALLS = 128;
const LEAST_WHILE_SHED = 64;
/** The longest wait of a call: this time, or this multiple of the wait without a queue if that is longer. */
const LONGEST_MS = 50;
const LONGEST_TIMES = 4;
/** While calls are rejected, the queue is kept at this fraction of the longest wait. */
const SHORTER = 0.4;
/** Time constants of the moving averages. */
const SMOOTH_MS = 75;
const PACE_SMOOTH_MS = 500;
/**
 * The best pace decays over this time. The current pace would not do: a queue that is too short slows the pace down, and
 * would then become even shorter.
 */
const PACE_FORGOTTEN_MS = 5000;
/** A queue that is too long for this time, while calls pass, is not a burst. */
const STANDS_MS = 75;
/** While no call passes, the database may have stalled for a moment: that may take this many times longer. */
const STANDSTILL_TIMES = 13;
/** Without a rejected call for this time, the limit ends. */
const CALM_MS = 1000;

/** One measurement of the queue. */
export interface QueueLook {
  readonly now: number;
  /** Calls that wait. */
  readonly waiting: number;
  /** Calls that finished waiting since the last measurement. */
  readonly passed: number;
  /** ms that a call waits without a queue. */
  readonly unqueuedMs: number;
}

/**
 * How many calls may wait within the gateway; see README.md. By Little's law, the wait is the number of waiting calls
 * divided by the pace at which they pass. Time at the upstream does not count.
 */
export class QueueLimit {
  /** Infinity: no limit. */
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

  /** Records that a call was rejected because of the limit. */
  shed(now: number): void {
    this.shedAt = now;
  }
}

/** An exponential moving average. */
function smoothed(before: number, seen: number, ms: number, overMs: number): number {
  return seen + (before - seen) * Math.exp(-ms / overMs);
}
