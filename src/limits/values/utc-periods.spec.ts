import { describe, expect, it } from '@jest/globals';
import { utcPeriodOf } from './utc-periods.js';

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
