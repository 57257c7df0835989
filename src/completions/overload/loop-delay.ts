import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

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
