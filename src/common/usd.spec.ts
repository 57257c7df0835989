import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toNanodollars, toUsd } from './usd.js';

describe('an amount in dollars', () => {
  it.each([
    ['20', 20_000_000_000n],
    ['0.1', 100_000_000n],
    ['0.000000001', 1n],
    ['007.50', 7_500_000_000n],
    ['0', 0n],
    ['123456789.123456789', 123_456_789_123_456_789n],
  ])('%s is exact to the nano-dollar', (usd, expected) => {
    expect(toNanodollars(usd)).toBe(expected);
  });

  it.each(['', '.5', '5.', '-1', '1e3', ' 5', '0.0000000001', '1'.repeat(13)])('rejects %j', (text) => {
    expect(toNanodollars(text)).toBeNull();
  });

  it('is formatted without trailing zeros', () => {
    expect(['20', '0.5', '0', '1.000000001'].map((usd) => toUsd(toNanodollars(usd) ?? -1n))).toEqual([
      ...['20', '0.5', '0', '1.000000001'],
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (amount) => {
        expect(toNanodollars(toUsd(amount))).toBe(amount);
      }),
    );
  });
});
