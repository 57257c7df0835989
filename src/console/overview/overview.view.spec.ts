import { describe, expect, it } from '@jest/globals';
import { currentSpan, previousSpan } from './overview.view.js';

function iso({ from, to }: { from: Date; to: Date }): string[] {
  return [from.toISOString(), to.toISOString()];
}

describe('today and this month', () => {
  const now = new Date('2026-11-21T20:30:00.000Z');

  it('start at midnight in the requested time zone', () => {
    expect(iso(currentSpan('day', now, 'UTC'))).toEqual(['2026-11-21T00:00:00.000Z', now.toISOString()]);
    expect(iso(currentSpan('day', now, 'Asia/Kolkata'))).toEqual(['2026-11-21T18:30:00.000Z', now.toISOString()]);
    expect(iso(currentSpan('month', now, 'Asia/Kolkata'))[0]).toBe('2026-10-31T18:30:00.000Z');
    expect(iso(currentSpan('month', now, 'America/New_York'))[0]).toBe('2026-11-01T04:00:00.000Z');
  });

  it('start an hour earlier or later if the clocks have changed since', () => {
    const afterChange = new Date('2026-10-25T12:00:00Z');
    expect(iso(currentSpan('day', afterChange, 'Europe/Berlin'))[0]).toBe('2026-10-24T22:00:00.000Z');
  });
});

describe('the previous span', () => {
  it('is as long as the current one has lasted', () => {
    const now = new Date('2026-11-21T20:30:00.000Z');
    expect(iso(previousSpan('day', now, 'UTC'))).toEqual(['2026-11-20T00:00:00.000Z', '2026-11-20T20:30:00.000Z']);
    expect(iso(previousSpan('month', now, 'UTC'))).toEqual(['2026-10-01T00:00:00.000Z', '2026-10-21T20:30:00.000Z']);
  });

  it('ends where the current one starts if it was shorter', () => {
    const now = new Date('2026-03-31T12:00:00.000Z');
    expect(iso(previousSpan('month', now, 'UTC'))).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  });

  it('the previous span of January is in the previous year', () => {
    expect(iso(previousSpan('month', new Date('2026-01-02T00:00:00Z'), 'UTC'))[0]).toBe('2025-12-01T00:00:00.000Z');
  });
});
