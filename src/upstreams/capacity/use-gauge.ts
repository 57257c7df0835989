import type { AllowedUse } from '../../config/units.js';

/** This process's part of a limit that processes share. */
export interface ShareOfUse {
  /** Part of the rates and concurrent calls, from 0 to 1. */
  readonly share: number;
  /** Whether this is the first process, which gets an indivisible concurrent call. */
  readonly isFirst: boolean;
  /** Concurrent calls that this process has announced to the others. */
  readonly claimed: number;
  /** Concurrent calls that the others announced. */
  readonly othersClaimed: number;
  readonly othersUnderWay: number;
}

/** The queue of calls that wait for capacity. */
export interface WaitingLine {
  readonly waiting: number;
  serve(): void;
}

const ALL = Number.POSITIVE_INFINITY;
const ALONE: ShareOfUse = { share: 1, isFirst: true, claimed: ALL, othersClaimed: 0, othersUnderWay: 0 };

/** Usage of the limits of one key, or of one model with that key. Instants are `performance.now()`. */
export class UseGauge {
  underWay = 0;
  /** Calls that requested capacity since the last read, admitted or not. */
  requested = 0;
  readonly lines = new Set<WaitingLine>();
  private requests: RateBucket | null = null;
  private tokens: RateBucket | null = null;
  private shared = ALONE;

  constructor(
    private allowed: AllowedUse,
    now: number,
  ) {
    this.allow(allowed, now);
  }

  allow(allowed: AllowedUse, now: number): void {
    this.allowed = allowed;
    this.requests = resized(this.requests, allowed.requestsPerMinute, this.shared.share, now);
    this.tokens = resized(this.tokens, allowed.tokensPerMinute, this.shared.share, now);
  }

  shareWith(shared: ShareOfUse, now: number): void {
    this.shared = shared;
    this.allow(this.allowed, now);
  }

  get countsTokens(): boolean {
    return this.tokens !== null;
  }

  /** Milliseconds until a call of this many tokens can start; infinite at the concurrency limit. */
  wait(tokens: number, now: number): number {
    if (this.underWay >= this.slots) return Number.POSITIVE_INFINITY;
    const ofRequests = this.requests === null ? 0 : this.requests.wait(1, now);
    return this.tokens === null ? ofRequests : Math.max(ofRequests, this.tokens.wait(tokens, now));
  }

  take(tokens: number, now: number): void {
    this.underWay++;
    this.requests?.take(1, now);
    this.tokens?.take(tokens, now);
  }

  /** `surplus`: tokens reserved but not used; negative if the call used more. */
  end(surplus: number, now: number): void {
    this.underWay--;
    if (surplus !== 0) this.tokens?.take(-surplus, now);
    for (const line of this.lines) line.serve();
  }

  get waiting(): number {
    let sum = 0;
    for (const line of this.lines) sum += line.waiting;
    return sum;
  }

  /** From 0 to 1; null: unlimited. Concurrent calls count those of all processes. */
  fullness(now: number): { requests: number | null; tokens: number | null; calls: number | null } {
    const { concurrentCalls } = this.allowed;
    return {
      requests: this.requests?.fullness(now) ?? null,
      tokens: this.tokens?.fullness(now) ?? null,
      calls: concurrentCalls === undefined ? null : (this.underWay + this.shared.othersUnderWay) / concurrentCalls,
    };
  }

  /** Concurrent calls to reserve for this process. */
  get claim(): number {
    return this.allowed.concurrentCalls === undefined ? 0 : Math.max(this.underWay, this.required);
  }

  /** At most what it announced and what the others leave; but at least one, so that each process can serve. */
  private get slots(): number {
    const { concurrentCalls } = this.allowed;
    if (concurrentCalls === undefined) return ALL;
    const { claimed, othersClaimed } = this.shared;
    return Math.max(1, Math.min(this.required, claimed, concurrentCalls - othersClaimed));
  }

  private get required(): number {
    const { share, isFirst } = this.shared;
    const exactly = (this.allowed.concurrentCalls ?? 0) * share;
    return isFirst ? Math.ceil(exactly) : Math.floor(exactly);
  }
}

function resized(
  bucket: RateBucket | null,
  perMinute: number | undefined,
  share: number,
  now: number,
): RateBucket | null {
  if (perMinute === undefined) return null;
  const stored = bucket ?? new RateBucket(perMinute, now);
  stored.resize(perMinute, share, now);
  return stored;
}

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
    const required = Math.min(amount, this.size);
    return this.level >= required ? 0 : Math.max(1, Math.ceil((required - this.level) / this.perMs));
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
