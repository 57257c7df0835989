import { describe, expect, it } from '@jest/globals';
import { formatDate, formatRelative, formatTime } from './times';

const now = new Date('2026-11-21T12:00:00Z');

function relative(seconds: number): string {
  return formatRelative(new Date(now.getTime() + seconds * 1000), now);
}

describe('a time as seen from now', () => {
  it.each([
    [-9, 'now'],
    [-59, '59 sec. ago'],
    [-60, '1 min. ago'],
    [-3599, '59 min. ago'],
    [7200, 'in 2 hr.'],
    [-86_400, 'yesterday'],
    [86_400 * 44, 'in 44 days'],
    [-86_400 * 62, '2 mo. ago'],
    [86_400 * 800, 'in 2 yr.'],
  ])('%d s away is %s: in the largest unit that it fills', (seconds, text) => {
    expect(relative(seconds)).toBe(text);
  });
});

describe('a time in the zone asked for', () => {
  it('names the zone of an instant, and the day that it is there', () => {
    expect(formatTime(new Date('2026-11-21T23:05:07Z'), 'utc')).toBe('Nov 21, 2026, 11:05:07 PM UTC');
    expect(formatDate(new Date('2026-11-21T23:59:59Z'), 'utc')).toBe('Nov 21, 2026');
  });
});
