import { describe, expect, it } from '@jest/globals';
import { forecastOf } from './budget-forecast.js';

const NOW = new Date('2026-11-21T00:00:00Z');
const month = { period: 'month', amountUsd: 100, spentUsd: 60, resetsAt: '2026-12-01T00:00:00Z' } as const;

describe('the forecast of a budget', () => {
  it('adds the days that are left to what is spent', () => {
    expect(forecastOf(month, 2, NOW)).toEqual({ forecastUsd: 80, runsOutAt: null });
  });

  it('tells when a budget will be used up before it resets', () => {
    expect(forecastOf(month, 8, NOW)).toEqual({ forecastUsd: 140, runsOutAt: new Date('2026-11-26T00:00:00Z') });
  });

  it('says that a spent budget is used up now', () => {
    expect(forecastOf({ ...month, spentUsd: 101 }, 1, NOW).runsOutAt).toEqual(NOW);
  });

  it('expects nothing of someone who spends nothing', () => {
    expect(forecastOf(month, 0, NOW)).toEqual({ forecastUsd: 60, runsOutAt: null });
    expect(forecastOf({ ...month, spentUsd: 100 }, 0, NOW).runsOutAt).toBeNull();
  });

  it.each([
    ['day', '2026-11-22T00:00:00Z', 50, '2026-11-21T19:12:00.000Z'],
    ['total', null, 10, '2026-11-25T00:00:00.000Z'],
    ['total', null, 0.01, null],
  ] as const)('has no month for the budget of a %s', (period, resetsAt, usdPerDay, runsOutAt) => {
    const { forecastUsd, ...rest } = forecastOf({ ...month, period, resetsAt }, usdPerDay, NOW);
    expect(forecastUsd).toBeNull();
    expect(rest.runsOutAt?.toISOString() ?? null).toBe(runsOutAt);
  });
});
