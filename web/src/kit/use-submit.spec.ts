import { describe, expect, it } from '@jest/globals';
import { formatWait } from './use-submit';

describe('a wait', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1:00'],
    [75, '1:15'],
    [605, '10:05'],
  ])('a wait of %d seconds is %s', (seconds, text) => {
    expect(formatWait(seconds)).toBe(text);
  });
});
