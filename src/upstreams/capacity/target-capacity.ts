import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { durationMs, headerOf } from '../providers/shared/retry-after.js';
import type { UseGauge, WaitingLine } from './use-gauge.js';

/** Another process may give up capacity earlier than expected, so waits are checked at least this often. */
const MAX_PAUSE_MS = 250;

const NONE: readonly UseGauge[] = [];

export interface WaitingCall {
  /** Estimated prompt and completion tokens. */
  readonly tokens: number;
  /** Called when the target has capacity: the call takes it, or no longer needs it. */
  roomFreed(target: TargetCapacity): void;
}

/** Capacity that a call holds until its attempt ends. */
export interface CapacityLease {
  /** `used`: actual tokens; null: unknown, so the estimate counts. */
  end(used: number | null): void;
}

/**
 * The capacity of one target, from limits of its upstream's key, its own limits, and its provider's reports. Instants are
 * `performance.now()`.
 */
export class TargetCapacity implements WaitingLine {
  private readonly queue = new Set<WaitingCall>();
  private timer: NodeJS.Timeout | undefined;
  private scarceUntil = 0;
  private noneUntil = 0;

  private gauges: readonly UseGauge[] = NONE;
  countsTokens = false;

  limitBy(gauges: readonly UseGauge[]): void {
    for (const gauge of this.gauges) gauge.lines.delete(this);
    this.gauges = gauges;
    this.countsTokens = gauges.some((gauge) => gauge.countsTokens);
    if (this.queue.size > 0) for (const gauge of gauges) gauge.lines.add(this);
  }

  /** Whether the provider reported that a limit is used up; other targets are then preferred. */
  isScarce(now: number): boolean {
    return this.scarceUntil > now;
  }

  /** Whether there is capacity and no queue, so that the call can start now. Counts as demand in any case. */
  canStart(tokens: number, now: number): boolean {
    for (const gauge of this.gauges) gauge.requested++;
    return this.queue.size === 0 && this.wait(tokens, now) === 0;
  }

  /** Milliseconds until the call can start; infinite if another call must end first. */
  wait(tokens: number, now: number): number {
    let wait = Math.max(this.noneUntil - now, 0);
    for (const gauge of this.gauges) wait = Math.max(wait, gauge.wait(tokens, now));
    return wait;
  }

  /** Null: nothing is limited. */
  take(tokens: number, now: number): CapacityLease | null {
    const { gauges } = this;
    if (gauges.length === 0) return null;
    for (const gauge of gauges) gauge.take(tokens, now);
    return {
      end: (used) => {
        const surplus = used === null ? 0 : tokens - used;
        for (const gauge of gauges) gauge.end(surplus, performance.now());
      },
    };
  }

  readHeaders(headers: UpstreamHeaders): void {
    const exhausted = usedUp(headers);
    if (exhausted === null) return;
    const now = performance.now();
    this.scarceUntil = Math.max(this.scarceUntil, now + exhausted.reset);
    this.noneUntil = Math.max(this.noneUntil, now + exhausted.some);
  }

  get waiting(): number {
    return this.queue.size;
  }

  /** First in, first out. */
  enter(call: WaitingCall): void {
    this.queue.add(call);
    for (const gauge of this.gauges) gauge.lines.add(this);
    this.scheduleServe();
  }

  leave(call: WaitingCall): void {
    const isFirst = this.queue.values().next().value === call;
    if (!this.queue.delete(call)) return;
    if (this.queue.size === 0) {
      clearTimeout(this.timer);
      this.timer = undefined;
      for (const gauge of this.gauges) gauge.lines.delete(this);
    } else if (isFirst) this.scheduleServe();
  }

  /** Admits waiting calls in order while there is capacity. */
  serve(): void {
    for (const call of this.queue) {
      if (this.wait(call.tokens, performance.now()) > 0) break;
      this.leave(call);
      call.roomFreed(this);
    }
    if (this.queue.size > 0) this.scheduleServe();
  }

  private scheduleServe(): void {
    const [first] = this.queue;
    clearTimeout(this.timer);
    if (first === undefined) return;
    const wait = Math.min(Math.max(this.wait(first.tokens, performance.now()), 1), MAX_PAUSE_MS);
    this.timer = setTimeout(() => this.serve(), wait);
  }
}

/** When an exhausted provider limit recovers, in ms from now. */
export interface UsedUp {
  /** Until the whole limit is available again. */
  readonly reset: number;
  /** Until part of it is available again: one request, or a hundredth of the tokens. */
  readonly some: number;
}

const MAX_WAIT_MS = 60_000;

/** Header names of OpenAI and compatible APIs, then Anthropic's. */
const LIMITS = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-limit-requests', 'x-ratelimit-reset-requests', null],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-limit-tokens', 'x-ratelimit-reset-tokens', 100],
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map((kind) => {
    const name = (what: string) => `anthropic-ratelimit-${kind}-${what}`;
    return [name('remaining'), name('limit'), name('reset'), kind === 'requests' ? null : 100] as const;
  }),
] as const;

/** The exhausted limit with the longest wait in a response's headers; null: none. */
export function usedUp(headers: UpstreamHeaders): UsedUp | null {
  let [longestReset, longestSome] = [-1, -1];
  for (const [remaining, limit, reset, parts] of LIMITS) {
    if (headers[remaining] !== '0') continue;
    const wait = Math.min(resetMs(headerOf(headers, reset), headerOf(headers, 'date')), MAX_WAIT_MS);
    // A limit of known size refills evenly until its reset. Without a size it may reset all at once.
    const whole = Number(headerOf(headers, limit));
    const some = whole > 0 ? wait / (parts ?? whole) : wait;
    longestReset = Math.max(longestReset, wait);
    longestSome = Math.max(longestSome, some);
  }
  return longestReset < 0 ? null : { reset: longestReset, some: longestSome };
}

const UNKNOWN_MS = 1000;

/** A duration, or a time, which is relative to the response's own `date`, as clocks may differ. */
function resetMs(value: string | undefined, date: string | undefined): number {
  if (value === undefined) return UNKNOWN_MS;
  const duration = durationMs(value);
  if (duration !== undefined) return duration;
  const from = Date.parse(date ?? '');
  const wait = Date.parse(value) - (Number.isFinite(from) ? from : Date.now());
  return Number.isFinite(wait) ? Math.max(wait, 0) : UNKNOWN_MS;
}
