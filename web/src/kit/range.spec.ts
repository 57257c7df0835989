import { describe, expect, it } from '@jest/globals';
import { isGrowing, type RangeChoice, toRange, toSpan, toSpanBefore } from './range';

const NOW = new Date('2026-11-21T13:20:00Z');

function span(choice: Partial<RangeChoice>): [string, string] {
  const { from, to } = toSpan({ preset: '7d', zone: 'utc', fromDay: null, toDay: null, ...choice }, NOW);
  return [from.toISOString(), to.toISOString()];
}

describe('a preset range', () => {
  it('starts at midnight, includes today, and ends now', () => {
    expect(span({ preset: 'today' })).toEqual(['2026-11-21T00:00:00.000Z', NOW.toISOString()]);
    expect(span({ preset: '7d' })).toEqual(['2026-11-15T00:00:00.000Z', NOW.toISOString()]);
    expect(span({ preset: '30d' })).toEqual(['2026-10-23T00:00:00.000Z', NOW.toISOString()]);
    expect(span({ preset: 'month' })).toEqual(['2026-11-01T00:00:00.000Z', NOW.toISOString()]);
  });

  it('a preset range of last month ends where this month starts, and does not grow', () => {
    expect(span({ preset: 'last-month' })).toEqual(['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z']);
    expect(isGrowing({ preset: 'last-month', zone: 'utc', fromDay: null, toDay: null }, NOW)).toBe(false);
  });

  it('a preset range of the billing month is in UTC, whatever the clock', () => {
    expect(toRange({ range: 'billing-month' })).toMatchObject({ preset: 'billing-month', zone: 'utc' });
    expect(span({ preset: 'billing-month' })).toEqual(['2026-11-01T00:00:00.000Z', NOW.toISOString()]);
  });

  it('starts at midnight of the chosen clock', () => {
    const { from } = toSpan({ preset: 'today', zone: 'local', fromDay: null, toDay: null }, NOW);
    expect([from.getHours(), from.getMinutes()]).toEqual([0, 0]);
  });
});

describe('a custom range', () => {
  it('includes both days', () => {
    expect(span({ preset: 'custom', fromDay: '2026-11-02', toDay: '2026-11-03' })).toEqual([
      '2026-11-02T00:00:00.000Z',
      '2026-11-04T00:00:00.000Z',
    ]);
  });

  it('ends now if today is its last day', () => {
    expect(span({ preset: 'custom', fromDay: '2026-11-20', toDay: '2026-11-21' })[1]).toBe(NOW.toISOString());
  });

  it('a custom range without days, or with invalid ones, is the last 30 days', () => {
    const month = span({ preset: '30d' });
    expect(span({ preset: 'custom' })).toEqual(month);
    expect(span({ preset: 'custom', fromDay: 'yesterday', toDay: '2026-11-03' })).toEqual(month);
    expect(span({ preset: 'custom', fromDay: '2026-11-09', toDay: '2026-11-03' })).toEqual(month);
  });
});

describe('a range is compared with', () => {
  const spanBefore = (choice: Partial<RangeChoice>, now = NOW) => {
    const { from, to } = toSpanBefore({ preset: '7d', zone: 'utc', fromDay: null, toDay: null, ...choice }, now);
    return [from.toISOString(), to.toISOString()];
  };

  it('the same hours of the previous days', () => {
    expect(spanBefore({ preset: 'today' })).toEqual(['2026-11-20T00:00:00.000Z', '2026-11-20T13:20:00.000Z']);
    expect(spanBefore({ preset: '7d' })).toEqual(['2026-11-08T00:00:00.000Z', '2026-11-14T13:20:00.000Z']);
    expect(spanBefore({ preset: '30d' })).toEqual(['2026-09-23T00:00:00.000Z', '2026-10-22T13:20:00.000Z']);
  });

  it('the same days of last month, which can be shorter', () => {
    expect(spanBefore({ preset: 'month' })).toEqual(['2026-10-01T00:00:00.000Z', '2026-10-21T13:20:00.000Z']);
    const inMarch = spanBefore({ preset: 'month' }, new Date('2026-03-31T12:00:00Z'));
    expect(inMarch).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  });

  it('a range is compared with as many days before it, if the days were chosen and are over', () => {
    const picked = spanBefore({ preset: 'custom', fromDay: '2026-11-02', toDay: '2026-11-03' });
    expect(picked).toEqual(['2026-10-31T00:00:00.000Z', '2026-11-02T00:00:00.000Z']);
  });
});

describe('a range is loaded again', () => {
  it('a range is loaded again while its end is not over', () => {
    const custom = (toDay: string) => isGrowing({ preset: 'custom', zone: 'utc', fromDay: '2026-11-01', toDay }, NOW);
    expect(custom('2026-11-20')).toBe(false);
    expect(custom('2026-11-21')).toBe(true);
    expect(isGrowing({ preset: 'month', zone: 'utc', fromDay: null, toDay: null }, NOW)).toBe(true);
  });
});
