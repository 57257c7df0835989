import { describe, expect, it } from '@jest/globals';
import { forecastOf, toPace } from './budget-levels.service.js';

const NOW = new Date('2026-11-21T00:00:00Z');
const of = (usdPerDay: number) => ({ usdPerDay, days: 7, usdPerDayNow: usdPerDay });
const month = { period: 'month', amountUsd: 100, spentUsd: 60, resetsAt: '2026-12-01T00:00:00Z' } as const;

describe('the forecast of a budget', () => {
  it('adds the average of the remaining days to the spending so far', () => {
    expect(forecastOf(month, of(2), NOW)).toMatchObject({ forecastUsd: 80, runsOutAt: null });
  });

  it('has the time at which a budget is used up, if that is before it resets', () => {
    expect(forecastOf(month, of(8), NOW)).toMatchObject({
      forecastUsd: 140,
      runsOutAt: new Date('2026-11-26T00:00:00Z'),
    });
  });

  it('is now for a budget that is already used up', () => {
    expect(forecastOf({ ...month, spentUsd: 101 }, of(1), NOW).runsOutAt).toEqual(NOW);
  });

  it('has no end for a budget without spending', () => {
    expect(forecastOf(month, of(0), NOW)).toMatchObject({ forecastUsd: 60, runsOutAt: null });
    expect(forecastOf({ ...month, spentUsd: 100 }, of(0), NOW).runsOutAt).toBeNull();
  });

  it.each([
    ['day', '2026-11-22T00:00:00Z', 50, '2026-11-21T19:12:00.000Z'],
    ['total', null, 10, '2026-11-25T00:00:00.000Z'],
    ['total', null, 0.01, null],
  ] as const)('has no month-end amount for a %s budget', (period, resetsAt, usdPerDay, runsOutAt) => {
    const { forecastUsd, runsOutAt: end } = forecastOf({ ...month, period, resetsAt }, of(usdPerDay), NOW);
    expect(forecastUsd).toBeNull();
    expect(end?.toISOString() ?? null).toBe(runsOutAt);
  });

  it('the forecast of a budget of a daily budget assumes the spending of the last hour, not that of the last days', () => {
    const day = { ...month, period: 'day', resetsAt: '2026-11-22T00:00:00Z' } as const;
    const forecast = forecastOf(day, { usdPerDay: 0, days: 0, usdPerDayNow: 80 }, NOW);
    expect(forecast).toEqual({ forecastUsd: null, runsOutAt: new Date('2026-11-21T12:00:00Z'), historyDays: null });
  });
});

describe('the pace of spending', () => {
  const USD = 1_000_000_000n;

  it('is the average of the days since the first cost, and says how many these are', () => {
    const costs = [0n, 0n, 0n, 0n, 0n, 4n * USD, USD, USD];
    expect(toPace([costs, undefined])).toEqual({ usdPerDay: 3, days: 2, usdPerDayNow: 24 });
  });

  it('counts days without spending after the first cost', () => {
    expect(toPace([[7n * USD, 0n, 0n, 0n, 0n, 0n, 0n, 0n]])).toEqual({ usdPerDay: 1, days: 7, usdPerDayNow: 0 });
  });

  it('is zero without any cost', () => {
    expect(toPace([])).toEqual({ usdPerDay: 0, days: 0, usdPerDayNow: 0 });
  });
});
