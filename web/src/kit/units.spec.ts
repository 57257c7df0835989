import { describe, expect, it } from '@jest/globals';
import { formatOnAxis, formatValue } from './units';

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
  ])('of %d dollars is %s: short, and steps of less than a cent stay distinct', (usd, text) => {
    expect(formatOnAxis(usd, 'usd')).toBe(text);
  });

  it('is a short count', () => {
    expect(formatOnAxis(262_144, 'count')).toBe('262K');
  });
});
