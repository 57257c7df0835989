const MINUTE_MS = 60_000;

/**
 * A token bucket for one minute; full at first and refilled evenly. A process has a share of the rate, but a bucket
 * size of at least one. Instants are `performance.now()`.
 */
export class RateBucket {
  private level: number;
  private at: number;
  private share = 1;

  constructor(
    private perMinute: number,
    now: number,
  ) {
    this.level = perMinute;
    this.at = now;
  }

  resize(perMinute: number, share: number, now: number): void {
    this.fill(now);
    this.perMinute = perMinute;
    this.share = share;
    this.level = Math.min(this.level, this.size);
  }

  /** Milliseconds until `amount` may be used. A full bucket admits any amount. */
  wait(amount: number, now: number): number {
    this.fill(now);
    const wanted = Math.min(amount, this.size);
    return this.level >= wanted ? 0 : Math.max(1, Math.ceil((wanted - this.level) / this.perMs));
  }

  /** A negative amount is a refund. The level may fall below zero, which delays later calls. */
  take(amount: number, now: number): void {
    this.fill(now);
    this.level = Math.min(this.level - amount, this.size);
  }

  /** Used part of the bucket, from 0 to 1. */
  fullness(now: number): number {
    this.fill(now);
    return Math.min(Math.max(1 - this.level / this.size, 0), 1);
  }

  private get size(): number {
    return Math.max(1, this.perMinute * this.share);
  }

  private get perMs(): number {
    return (this.perMinute * this.share) / MINUTE_MS;
  }

  private fill(now: number): void {
    if (now <= this.at) return;
    this.level = Math.min(this.size, this.level + (now - this.at) * this.perMs);
    this.at = now;
  }
}
