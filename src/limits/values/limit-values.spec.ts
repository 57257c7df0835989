import { describe, expect, it } from '@jest/globals';
import { NO_LIMITS, toLimitChange, toShownLimits, utcPeriodOf } from './limit-values.js';

describe('limits in a request', () => {
  it('are whole numbers and exact dollars; missing values do not change', () => {
    expect(
      toLimitChange({
        requestsPerMinute: 60,
        tokensPerMinute: '5000',
        budgetDayUsd: '0.000000001',
        budgetMonthUsd: 20,
      }),
    ).toEqual({
      requestsPerMinute: 60,
      tokensPerMinute: 5000,
      budgetDayNanodollars: 1n,
      budgetMonthNanodollars: 20_000_000_000n,
    });
    expect(toLimitChange({ budgetDayUsd: 0.1, budgetMonthUsd: 1e-7, budgetTotalUsd: 0 })).toEqual({
      budgetDayNanodollars: 100_000_000n,
      budgetMonthNanodollars: 100n,
      budgetTotalNanodollars: 0n,
    });
  });

  it("may be none, or the plan's for users", () => {
    expect(toLimitChange({ concurrentCalls: null, budgetDayUsd: 'none' })).toEqual({
      concurrentCalls: null,
      budgetDayNanodollars: null,
    });
    expect(toLimitChange({ concurrentCalls: 'plan' }, { allowsPlan: true })).toEqual({ concurrentCalls: 'plan' });
  });

  it.each([
    ['requestsPerMinute', 0],
    ['requestsPerMinute', -1],
    ['requestsPerMinute', 1.5],
    ['requestsPerMinute', Number.NaN],
    ['requestsPerMinute', ''],
    ['requestsPerMinute', '1e3'],
    ['requestsPerMinute', 'plan'],
    ['tokensPerMinute', 1_000_000_001],
    ['concurrentCalls', 'many'],
    ['budgetDayUsd', -1],
    ['budgetDayUsd', 1e-10],
    ['budgetMonthUsd', '$20'],
    ['budgetMonthUsd', '1,5'],
    ['budgetTotalUsd', '1000000000.01'],
    ['budgetTotalUsd', 1e300],
    ['budgetTotalUsd', Number.POSITIVE_INFINITY],
  ])('%s cannot be %j', (name, value) => {
    expect(() => toLimitChange({ [name]: value })).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        field: `limits.${name}`,
        message: expect.stringContaining(`limits.${name} must be`),
      }),
    );
  });
});

it('shows budgets in dollars, and a placeholder for missing limits', () => {
  const none = { concurrentCalls: null, budgetDayUsd: null, budgetTotalUsd: null };
  expect(toShownLimits(NO_LIMITS)).toEqual({
    ...none,
    ...{ requestsPerMinute: null, tokensPerMinute: null, budgetMonthUsd: null },
  });
  const settings = { requestsPerMinute: 5, tokensPerMinute: null, budgetMonthNanodollars: 500_000_000n };
  expect(toShownLimits({ ...settings, budgetDayNanodollars: 0n }, 'plan')).toEqual({
    requestsPerMinute: 5,
    tokensPerMinute: null,
    concurrentCalls: 'plan',
    budgetDayUsd: 0,
    budgetMonthUsd: 0.5,
    budgetTotalUsd: 'plan',
  });
});

describe('a day or month of UTC', () => {
  it.each([
    ['day', '2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
    ['day', '2028-02-28T00:00:00Z', '2028-02-28', '2028-02-29'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['month', '2028-02-01T00:00:00Z', '2028-02-01', '2028-03-01'],
  ] as const)('%s of %s is from %s until before %s', (unit, at, from, to) => {
    expect(utcPeriodOf(unit, new Date(at))).toEqual({ from: new Date(from), to: new Date(to) });
  });
});
