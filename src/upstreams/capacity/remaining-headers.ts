import type { UpstreamHeaders } from '../contract/provider.adapter.js';
import { durationMs, headerOf } from '../providers/shared/retry-after.js';

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
