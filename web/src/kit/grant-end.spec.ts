import { describe, expect, it } from '@jest/globals';
import { endOf, localDay } from './grant-end';

const now = new Date('2026-11-21T12:00:00Z');

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
