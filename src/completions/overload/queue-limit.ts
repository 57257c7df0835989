import { RollingExtreme } from './rolling-extreme.js';

/** The time that a call may wait, or twice the wait without a queue if that is longer. */
const WAIT_MS = 12;
/** This many calls may always wait. */
const LEAST_CALLS = 40;
/** The limit starts when this many times as many calls wait, */
const START_FACTOR = 3;
/** at this many measurements in a row. */
const LOOKS = 3;
/** When for this time no more calls came than pass at the best rate, the limit ends. */
const CALM_MS = 500;
/** A database that stalls for less does not start the limit. */
const STALL_MS = 1000;
/** The best rate of this time counts: a queue that is too short lowers the rate, and would become even shorter. */
const RATE_OF_MS = 5000;

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

/** How many calls may wait within the gateway; see README.md. Time at the upstream does not count. */
export class QueueLimit {
  private isOn = false;
  private calls = LEAST_CALLS;
  private readonly bestRate = new RollingExtreme(Math.max, RATE_OF_MS);
  private last: QueueLook | null = null;
  private passedAt = 0;
  private tooLong = 0;
  /** Since the last measurement. */
  private refused = 0;
  /** When more calls came than pass at the best rate. */
  private tooManyAt = 0;

  /** Infinity: no limit. */
  get most(): number {
    return this.isOn ? this.calls : Infinity;
  }

  look(look: QueueLook): void {
    const { now, waiting, passed, unqueuedMs } = look;
    const { last } = this;
    this.last = look;
    if (passed > 0 || last === null) this.passedAt = now;
    if (last === null || now <= last.now) return;
    // By Little's law, this many pass within the time that a call may wait.
    const rate = this.bestRate.with(passed / (now - last.now), now);
    this.calls = Math.max(LEAST_CALLS, rate * Math.max(WAIT_MS, 2 * unqueuedMs));
    const isStalled = passed === 0 && now - this.passedAt < STALL_MS;
    if (!isStalled) this.tooLong = waiting > START_FACTOR * this.calls ? this.tooLong + 1 : 0;
    const isTooLong = this.tooLong >= LOOKS;
    if (isTooLong || (passed + this.refused) / (now - last.now) > rate) this.tooManyAt = now;
    this.refused = 0;
    this.isOn = (this.isOn || isTooLong) && now - this.tooManyAt < CALM_MS;
  }

  /** Records that a call was refused because of the limit. */
  shed(): void {
    this.refused++;
  }
}
