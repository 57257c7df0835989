import { describe, expect, it } from '@jest/globals';
import {
  changeOf,
  formatCompact,
  formatMs,
  formatPercent,
  formatPrice,
  formatUsd,
  formatUsdColumn,
  formatUsdExactly,
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
  ])('from zero or to an unknown value is none: %p after %p is %p', (value, before, change) => {
    expect(changeOf(value, before)).toBe(change);
  });
});
