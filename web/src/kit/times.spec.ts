import { describe, expect, it } from '@jest/globals';
import {
  endOf,
  formatClock,
  formatDate,
  formatMinute,
  formatRelative,
  formatTime,
  localDay,
  withHumanTimes,
} from './times';

const now = new Date('2026-11-21T12:00:00Z');

function relative(seconds: number): string {
  return formatRelative(new Date(now.getTime() + seconds * 1000), now);
}

describe('a relative time', () => {
  it.each([
    [-9, 'now'],
    [-59, '59 seconds ago'],
    [-60, '1 minute ago'],
    [-3599, '59 minutes ago'],
    [7200, 'in 2 hours'],
    [-86_400, 'yesterday'],
    [86_400 * 44, 'in 44 days'],
    [-86_400 * 62, '2 months ago'],
    [86_400 * 800, 'in 2 years'],
  ])('%d s away is %s: in the largest complete unit', (seconds, text) => {
    expect(relative(seconds)).toBe(text);
  });
});

describe('a time in the requested zone', () => {
  it('names the zone, and the day in that zone', () => {
    expect(formatTime(new Date('2026-11-21T23:05:07Z'), 'utc')).toBe('Nov 21, 2026, 23:05:07 UTC');
    expect(formatDate(new Date('2026-11-21T23:59:59Z'), 'utc')).toBe('Nov 21, 2026');
  });
});

const AFTERNOON = new Date(2026, 10, 21, 15, 4, 5);

describe('a time', () => {
  it.each([
    ['in full', formatTime(AFTERNOON)],
    ['as a clock', formatClock(AFTERNOON)],
    ['to the minute', formatMinute(AFTERNOON)],
  ])('%s uses a 24-hour clock', (_, text) => {
    expect(text).toMatch(/\b15:04\b/);
    expect(text).not.toMatch(/[ap]m/i);
  });

  it('a time in the first hour of a day is not 24', () => {
    expect(formatClock(new Date(2026, 10, 21, 0, 4, 5))).toBe('00:04:05');
  });
});

describe('the distance to a day', () => {
  const now = new Date(2026, 10, 21, 20, 0);

  it.each([
    [new Date(2026, 10, 25, 9, 0), 'in 4 days'],
    [new Date(2026, 10, 22, 23, 0), 'tomorrow'],
    [new Date(2026, 10, 19, 22, 0), '2 days ago'],
    [new Date(2026, 10, 22, 9, 0), 'in 13 hours'],
  ])('%s agrees with the calendar', (time, text) => {
    expect(formatRelative(time, now)).toBe(text);
  });
});

describe('the end of a grant', () => {
  it('is a number of days from now, or none', () => {
    expect(endOf('30', '', now)).toBe('2026-12-21T12:00:00.000Z');
    expect(endOf('never', '2026-12-01', now)).toBeNull();
  });

  it('is the last second of a chosen day in the person’s time zone', () => {
    const end = new Date(endOf('day', '2026-12-01', now) ?? '');
    expect([localDay(end), end.getHours(), end.getMinutes(), end.getSeconds()]).toEqual(['2026-12-01', 23, 59, 59]);
  });

  it('is none while the day is not valid', () => {
    expect(endOf('day', '', now)).toBeNull();
  });
});

describe('a local day', () => {
  it('has two digits for month and day, like a date field', () => {
    expect(localDay(new Date(2026, 0, 5, 0, 0, 1))).toBe('2026-01-05');
  });
});

it('times, days and months in a text of the gateway are written as everywhere', () => {
  const text = 'Spent 80 % of the budget for 2026-11 on 2026-11-22. It resets at 2026-12-01T00:00:00Z.';
  const [day, time] = [formatDate(new Date('2026-11-22T00:00:00Z'), 'utc'), new Date('2026-12-01T00:00:00Z')];
  expect(withHumanTimes(text)).toBe(
    `Spent 80 % of the budget for November 2026 on ${day}. It resets at ${formatMinute(time)}.`,
  );
});
