import { expect, it } from '@jest/globals';
import { formatUsdTogether, sharedDecimals } from './shared-decimals';

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
