import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const LOOK_EVERY_MS = 50;
/** The fastest wait is measured again after this time: the database may have moved. */
const QUICKEST_OF_MS = 30_000;

/** Counts the calls that wait for the gateway itself: for their ledger row to be opened, and to be closed. */
@Injectable()
export class InternalQueue implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly opening = new QueueWait();
  readonly closing = new QueueWait();
  private readonly limit = new QueueLimit();
  private readonly quickest = [
    new RollingExtreme(Math.min, QUICKEST_OF_MS),
    new RollingExtreme(Math.min, QUICKEST_OF_MS),
  ];
  private timer: NodeJS.Timeout | undefined;
  /** Since the last measurement. */
  private entered = 0;
  private begunBefore = 0;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(performance.now()), LOOK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  get isFull(): boolean {
    const { most } = this.limit;
    return most !== Infinity && this.waiting + this.arriving >= most;
  }

  /** A call was admitted; its body is still to be read. */
  enter(): void {
    this.entered++;
  }

  /** A call was refused because the queue is full. */
  shed(): void {
    this.limit.shed();
  }

  private get waiting(): number {
    return this.opening.underWay + this.closing.underWay;
  }

  /** Calls admitted since the last measurement that do not wait yet. Most bodies come with their head and wait a turn later. */
  private get arriving(): number {
    return Math.max(0, this.entered - (this.opening.begun - this.begunBefore));
  }

  private look(now: number): void {
    const seen = [this.opening.take(), this.closing.take()];
    const { waiting } = this;
    this.entered = 0;
    this.begunBefore = this.opening.begun;
    let passed = 0;
    let unqueuedMs = 0;
    for (const [index, { ended, quickest }] of seen.entries()) {
      // Each call waits once in both.
      passed += ended / seen.length;
      const quickestWait = this.quickest[index]?.with(quickest, now) ?? Infinity;
      if (quickestWait < Infinity) unqueuedMs += quickestWait;
    }
    this.limit.look({ now, waiting, passed, unqueuedMs });
  }
}

/** Counts and times the calls that wait for the gateway itself, not for an upstream. */
class QueueWait {
  underWay = 0;
  /** Total since the process started. */
  begun = 0;
  private ended = 0;
  private isToBeTimed = true;
  private quickest = Infinity;

  /** Returns what to pass to `end`. Only one wait in each period is timed, because reading the clock costs time. */
  begin(): number {
    this.underWay++;
    this.begun++;
    if (!this.isToBeTimed) return 0;
    this.isToBeTimed = false;
    return performance.now();
  }

  end(begunAt: number): void {
    this.underWay--;
    this.ended++;
    if (begunAt > 0) this.quickest = Math.min(this.quickest, performance.now() - begunAt);
  }

  /** The waits that ended since the last `take`, and the shortest timed one in ms. */
  take(): { ended: number; quickest: number } {
    const { ended, quickest } = this;
    this.ended = 0;
    this.quickest = Infinity;
    this.isToBeTimed = true;
    return { ended, quickest };
  }
}

/** The time that a call may wait, or twice the wait without a queue if that is longer. */
const WAIT_MS = 12;
/** This many calls may always wait. */
const LEAST_CALLS = 40;
/** The limit starts when this many times as many calls wait. */
const START_FACTOR = 3;
/** Measurements in a row at which they must. */
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

/** The least or greatest of the values of this period and the one before. */
class RollingExtreme {
  private before: number | null = null;
  private now: number | null = null;
  private since = 0;

  constructor(
    private readonly better: (one: number, other: number) => number,
    private readonly periodMs: number,
  ) {}

  /** With a further value; at: ms. */
  with(value: number, at: number): number {
    if (at - this.since > this.periodMs) {
      this.before = this.now;
      this.now = null;
      this.since = at;
    }
    this.now = this.now === null ? value : this.better(this.now, value);
    return this.before === null ? this.now : this.better(this.before, this.now);
  }
}

const EVERY_MS = 50;

/** Measures how late the event loop is. A single long turn does not count: it takes two in a row. */
@Injectable()
export class LoopDelay implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private last = 0;
  private before = 0;

  onApplicationBootstrap(): void {
    this.dueAt = performance.now() + EVERY_MS;
    this.timer = setInterval(() => this.tick(performance.now()), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** ms */
  get now(): number {
    const overdue = performance.now() - this.dueAt;
    return Math.min(this.last, Math.max(this.before, overdue));
  }

  private tick(now: number): void {
    this.before = this.last;
    this.last = Math.max(now - this.dueAt, 0);
    this.dueAt = now + EVERY_MS;
  }
}
