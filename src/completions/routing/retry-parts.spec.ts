import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../config/settings.js';
import { PROVIDERS } from '../../upstreams/providers/providers.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { HedgeDelays, RetryBudget } from './retry-parts.js';

/** By default 20 % and a floor of 3, as in the settings. */
function budgetWith(calls: number, retry: { budgetPercent?: number; floor?: number } = {}): RetryBudget {
  const settings = loadSettings({}, PROVIDERS);
  const budget = new RetryBudget({ ...settings, retry: { ...settings.retry, ...retry } });
  for (let call = 0; call < calls; call++) budget.callBegins();
  return budget;
}

function retriesIn(budget: RetryBudget): number {
  let retries = 0;
  while (budget.tryRetry()) retries++;
  return retries;
}

describe('the retry budget', () => {
  it.each([
    [1, 4],
    [5, 4],
    [100, 23],
    [1000, 203],
  ])('the retry budget of %i calls allows %i concurrent retries', (calls, retries) => {
    expect(retriesIn(budgetWith(calls))).toBe(retries);
  });

  it('uses share and floor of the settings', () => {
    expect(retriesIn(budgetWith(100, { budgetPercent: 0, floor: 0 }))).toBe(0);
    expect(retriesIn(budgetWith(100, { budgetPercent: 50, floor: 1 }))).toBe(51);
  });

  it('has room again after a retry has ended', () => {
    const budget = budgetWith(100);
    retriesIn(budget);
    budget.retryEnds();
    expect([budget.tryRetry(), budget.tryRetry()]).toEqual([true, false]);
  });

  it('is smaller after calls have ended', () => {
    const budget = budgetWith(100);
    for (let call = 0; call < 50; call++) budget.callEnds();
    expect(retriesIn(budget)).toBe(13);
  });
});

describe('the delay before a second target is tried', () => {
  const target = {} as LiveTarget;

  it('is the configured delay', () => {
    expect(new HedgeDelays().of(2000, target)).toBe(2000);
  });

  it('is the 95th percentile of the last answers if there are at least twenty', () => {
    const delays = new HedgeDelays();
    for (let ms = 1; ms <= 19; ms++) delays.began(target, ms);
    expect(delays.of('p95', target)).toBeNull();
    for (let ms = 20; ms <= 100; ms++) delays.began(target, ms);
    expect(delays.of('p95', target)).toBe(95);
    for (let i = 0; i < 128; i++) delays.began(target, 7);
    expect(delays.of('p95', target)).toBe(7);
    expect(delays.of('p95', {} as LiveTarget)).toBeNull();
  });
});
