import { describe, expect, it } from '@jest/globals';
import { forecastOf } from './budget-levels.service.js';

const NOW = new Date('2026-11-21T00:00:00Z');
const month = { period: 'month', amountUsd: 100, spentUsd: 60, resetsAt: '2026-12-01T00:00:00Z' } as const;

describe('the forecast of a budget', () => {
  it('adds the average of the remaining days to the spending so far', () => {
    expect(forecastOf(month, 2, NOW)).toEqual({ forecastUsd: 80, runsOutAt: null });
  });

  it('has the time at which a budget is used up, if that is before it resets', () => {
    expect(forecastOf(month, 8, NOW)).toEqual({ forecastUsd: 140, runsOutAt: new Date('2026-11-26T00:00:00Z') });
  });

  it('is now for a budget that is already used up', () => {
    expect(forecastOf({ ...month, spentUsd: 101 }, 1, NOW).runsOutAt).toEqual(NOW);
  });

  it('has no end for a budget without spending', () => {
    expect(forecastOf(month, 0, NOW)).toEqual({ forecastUsd: 60, runsOutAt: null });
    expect(forecastOf({ ...month, spentUsd: 100 }, 0, NOW).runsOutAt).toBeNull();
  });

  it.each([
    ['day', '2026-11-22T00:00:00Z', 50, '2026-11-21T19:12:00.000Z'],
    ['total', null, 10, '2026-11-25T00:00:00.000Z'],
    ['total', null, 0.01, null],
  ] as const)('has no month-end amount for a %s budget', (period, resetsAt, usdPerDay, runsOutAt) => {
    const { forecastUsd, ...rest } = forecastOf({ ...month, period, resetsAt }, usdPerDay, NOW);
    expect(forecastUsd).toBeNull();
    expect(rest.runsOutAt?.toISOString() ?? null).toBe(runsOutAt);
  });
});
