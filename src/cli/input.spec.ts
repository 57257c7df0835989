import { describe, expect, it } from '@jest/globals';
import { UsageError } from '../common/usage.error.js';
import { toDate, toList } from './input.js';

describe('a date', () => {
  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:05', '2027-01-31T12:00:05.000Z'],
    ['2027-01-31T12:00:00.250Z', '2027-01-31T12:00:00.250Z'],
    ['2027-01-31T12:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T23:30:00-0130', '2027-02-01T01:00:00.000Z'],
  ])('%s is %s, in any time zone', (text, iso) => {
    expect(toDate(text).toISOString()).toBe(iso);
  });

  it.each([
    ...['', 'tomorrow', '2027-1-1', '1803945600'],
    ...['2027-02-30', '2027-02-29T10:00Z', '2027-13-01', '2027-00-10', '2027-01-32'],
    ...[
      '2027-01-31T25:00',
      '2027-01-31T12:61Z',
      '2027-01-31 noon',
      '2027-01-31T12:00 Europe/Paris',
      '2027-01-31T12:00+99:00',
    ],
  ])('cannot be %j', (text) => {
    expect(() => toDate(text)).toThrow(UsageError);
  });
});

describe('a list', () => {
  it('is split at commas, without surrounding spaces', () => {
    expect(toList('a, b ,,c')).toEqual(['a', 'b', 'c']);
  });

  it.each(['', ' ', ',', ' , '])('cannot be %j', (text) => {
    expect(() => toList(text)).toThrow(UsageError);
  });
});
