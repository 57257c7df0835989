import { describe, expect, it } from '@jest/globals';
import {
  changeOf,
  errorRateOf,
  formatCompact,
  formatMs,
  formatOnAxis,
  formatPercent,
  formatPrice,
  formatUsd,
  formatUsdColumn,
  formatUsdExactly,
  formatUsdTogether,
  formatValue,
  fromLocal,
  plural,
  sharedDecimals,
  toLocal,
} from './numbers';

describe('an amount of money', () => {
  it.each([
    [0, '$0.00'],
    [12.345, '$12.35'],
    [0.01, '$0.01'],
    [0.00123456, '$0.001235'],
    [0.000000021, '$0.000000021'],
  ])('%d is %s: cents, and below a cent four significant digits', (usd, text) => {
    expect(formatUsd(usd)).toBe(text);
  });
});

describe('an amount of money in a column', () => {
  it.each([
    [0, '$0.0000'],
    [12.345, '$12.3450'],
    [0.00123456, '$0.0012'],
    [0.000000021, '<$0.0001'],
  ])('%d is %s: as many decimals as all others', (usd, text) => {
    expect(formatUsdColumn(usd, 4)).toBe(text);
  });
});

describe('a count', () => {
  it.each([
    [0, '0'],
    [9999, '9,999'],
    [62_480, '62.5K'],
    [262_144, '262K'],
    [999_600, '1M'],
    [1_234_567, '1.23M'],
  ])('%d is %s: whole while that is short', (count, text) => {
    expect(formatCompact(count)).toBe(text);
  });
});

describe('a duration', () => {
  it.each([
    [840.4, '840 ms'],
    [2449, '2.4 s'],
    [65_000, '1 min 5 s'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatMs(ms)).toBe(text);
  });
});

describe('a price and a ratio', () => {
  it('keep the decimals that distinguish prices, and all of the ledger’s', () => {
    expect(formatPrice(0.075)).toBe('$0.075');
    expect(formatPrice(15)).toBe('$15.00');
    expect(formatUsdExactly(0.000000021)).toBe('$0.000000021');
    expect(formatPercent(0.0345)).toBe('3.5%');
  });
});

describe('a change', () => {
  it.each([
    [150, 100, 0.5],
    [0, 100, -1],
    [0, 0, 0],
    [5, 0, null],
    [5, undefined, null],
    [null, 100, null],
  ])('a change from zero or to an unknown value is none: %p after %p is %p', (value, before, change) => {
    expect(changeOf(value, before)).toBe(change);
  });
});

describe('a value of a metric', () => {
  it('is in full, and a dash if nothing was measured', () => {
    expect(formatValue(null, 'ms')).toBe('–');
    expect(formatValue(1_234_567, 'count')).toBe('1,234,567');
    expect(formatValue(12.5, 'usd')).toBe('$12.50');
    expect(formatValue(2449, 'ms')).toBe('2.4 s');
  });
});

describe('a value on an axis', () => {
  it.each([
    [0, '$0.00'],
    [0.015, '$0.015'],
    [1.4, '$1.40'],
    [12_500, '$12.5K'],
  ])('a value on an axis of %d dollars is %s: short, and steps of less than a cent stay distinct', (usd, text) => {
    expect(formatOnAxis(usd, 'usd')).toBe(text);
  });

  it('is a short count', () => {
    expect(formatOnAxis(262_144, 'count')).toBe('262K');
  });
});

it.each([
  [
    [0.047111, 0.05, 0.002889],
    ['$0.0471', '$0.0500', '$0.0029'],
  ],
  [
    [4.25, 5, 0.75],
    ['$4.25', '$5.00', '$0.75'],
  ],
  [
    [12.3456, 20],
    ['$12.35', '$20.00'],
  ],
  [
    [0.000021, 5],
    ['$0.000021', '$5.000000'],
  ],
  [
    [0, 0],
    ['$0.00', '$0.00'],
  ],
])('amounts side by side have the same decimals: %j', (amounts, texts) => {
  expect(formatUsdTogether(amounts)).toEqual(texts);
});

it('a column has no more decimals than it has room for', () => {
  expect(sharedDecimals([12, 0.000021], 4)).toBe(4);
  expect(sharedDecimals([], 4)).toBe(2);
});

describe('a count of things', () => {
  it('has the singular for one', () => {
    expect([0, 1, 1200].map((count) => plural(count, 'request'))).toEqual([
      '0 requests',
      '1 request',
      '1,200 requests',
    ]);
    expect(plural(2, 'search', 'searches')).toBe('2 searches');
  });
});

describe('a typed number', () => {
  it('is taken with the decimal mark with which numbers are shown', () => {
    expect(['1,50', '20', '0.5', 'ten', '1,2,3'].map((text) => fromLocal(text, ','))).toEqual([
      ...['1.50', '20', '0.5', 'ten', '1,2,3'],
    ]);
    expect(fromLocal('1,50', '.')).toBe('1,50');
    expect(toLocal('1.5', ',')).toBe('1,5');
  });
});

describe('the error rate', () => {
  it('is of requests that failed or succeeded, and none without one', () => {
    expect(errorRateOf({ succeeded: 15, errors: 5 })).toBe(0.25);
    expect(errorRateOf({ succeeded: 0, errors: 0 })).toBeNull();
  });
});
