import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OwnWait } from './own-wait.js';
import { QueueLimit } from './queue-limit.js';
import { RollingExtreme } from './rolling-extreme.js';

const LOOK_EVERY_MS = 50;
/** The fastest wait is measured again after this time: the database may have moved. */
const QUICKEST_OF_MS = 30_000;

/** Counts the calls that wait for the gateway itself: for their ledger row to be opened, and to be closed. */
@Injectable()
export class OwnQueue implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly opening = new OwnWait();
  readonly closing = new OwnWait();
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
