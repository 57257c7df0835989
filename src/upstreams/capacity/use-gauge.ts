import type { AllowedUse } from '../../config/allowed-use.js';
import { RateBucket } from './rate-bucket.js';

/** What this process has of a limit that it shares with others, by what they told last. */
export interface ShareOfUse {
  /** The part of the rates and places that it has, from 0 to 1. */
  readonly share: number;
  /** Of an odd place one process has it. */
  readonly isFirst: boolean;
  /** The places that it told the others to want. */
  readonly claimed: number;
  /** Those that they told. */
  readonly othersClaimed: number;
  /** Calls under way in the other processes. */
  readonly othersUnderWay: number;
}

/** Calls that wait for room, to be let in as soon as there is some. */
export interface WaitingLine {
  readonly waiting: number;
  serve(): void;
}

const ALL = Number.POSITIVE_INFINITY;
const ALONE: ShareOfUse = { share: 1, isFirst: true, claimed: ALL, othersClaimed: 0, othersUnderWay: 0 };

/** How much is used of what a provider allows one key, or one model with that key. Instants are `performance.now()`. */
export class UseGauge {
  underWay = 0;
  /** Calls that asked for room since it was last read, whether or not they got it. */
  asked = 0;
  /** Those that have to wait for it, among others perhaps. */
  readonly lines = new Set<WaitingLine>();
  private requests: RateBucket | null = null;
  private tokens: RateBucket | null = null;
  private shared = ALONE;

  constructor(
    /** The upstream with its key, or the target. */
    readonly id: string,
    private allowed: AllowedUse,
    now: number,
  ) {
    this.allow(allowed, now);
  }

  get limits(): AllowedUse {
    return this.allowed;
  }

  /** Where the configuration has other limits now. */
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

  /** How many ms until a call with so many tokens has room; infinite while all places are taken. */
  wait(tokens: number, now: number): number {
    if (this.underWay >= this.places) return Number.POSITIVE_INFINITY;
    const ofRequests = this.requests === null ? 0 : this.requests.wait(1, now);
    return this.tokens === null ? ofRequests : Math.max(ofRequests, this.tokens.wait(tokens, now));
  }

  take(tokens: number, now: number): void {
    this.underWay++;
    this.requests?.take(1, now);
    this.tokens?.take(tokens, now);
  }

  /** `surplus`: tokens that the call took and did not use; negative where it used more. */
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

  /** From 0 to 1, each where it is limited. Of places it is the use of all processes. */
  fullness(now: number): { requests: number | null; tokens: number | null; calls: number | null } {
    const { concurrentCalls } = this.allowed;
    return {
      requests: this.requests?.fullness(now) ?? null,
      tokens: this.tokens?.fullness(now) ?? null,
      calls: concurrentCalls === undefined ? null : (this.underWay + this.shared.othersUnderWay) / concurrentCalls,
    };
  }

  /** The places that the others should leave. */
  get claim(): number {
    return this.allowed.concurrentCalls === undefined ? 0 : Math.max(this.underWay, this.wanted);
  }

  /** No more than it told the others, and than they leave; at least one, so that no process is left without. */
  private get places(): number {
    const { concurrentCalls } = this.allowed;
    if (concurrentCalls === undefined) return ALL;
    const { claimed, othersClaimed } = this.shared;
    return Math.max(1, Math.min(this.wanted, claimed, concurrentCalls - othersClaimed));
  }

  private get wanted(): number {
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
  const kept = bucket ?? new RateBucket(perMinute, now);
  kept.resize(perMinute, share, now);
  return kept;
}
