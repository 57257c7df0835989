import { describe, expect, it } from '@jest/globals';
import { slotOf, startOfSlot } from '../rollups/usage-pieces.js';
import { UsageCalendar } from './usage-calendar.js';

const HOUR_MS = 3_600_000;

describe('UsageCalendar', () => {
  const days = (zone: string, from: string, to: string) => starts(zone, 'day', from, to);
  const starts = (zone: string, granularity: 'quarter' | 'hour' | 'day', from: string, to: string) =>
    new UsageCalendar(zone)
      .starts(granularity, slotOf(new Date(from)), slotOf(new Date(to)))
      .map((slot) => startOfSlot(slot).toISOString().slice(0, 16));

  it.each([
    ['UTC', ['2026-11-01T00:00', '2026-11-02T00:00', '2026-11-03T00:00']],
    ['Asia/Tokyo', ['2026-11-01T00:00', '2026-11-01T15:00', '2026-11-02T15:00', '2026-11-03T15:00']],
    ['Asia/Kolkata', ['2026-11-01T00:00', '2026-11-01T18:30', '2026-11-02T18:30', '2026-11-03T18:30']],
    ['Asia/Kathmandu', ['2026-11-01T00:00', '2026-11-01T18:15', '2026-11-02T18:15', '2026-11-03T18:15']],
    ['Pacific/Kiritimati', ['2026-11-01T00:00', '2026-11-01T10:00', '2026-11-02T10:00', '2026-11-03T10:00']],
    ['Pacific/Pago_Pago', ['2026-11-01T00:00', '2026-11-01T11:00', '2026-11-02T11:00', '2026-11-03T11:00']],
  ])('starts the days of %s at local midnight', (zone, expected) => {
    expect(days(zone, '2026-11-01T00:00Z', '2026-11-04T00:00Z')).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '2026-03-28T23:00Z', [23, 24]],
    ['Europe/Berlin', '2026-10-24T22:00Z', [25, 24]],
    ['America/New_York', '2026-03-08T05:00Z', [23, 24]],
    ['America/New_York', '2026-11-01T04:00Z', [25, 24]],
    ['Australia/Lord_Howe', '2026-04-04T13:00Z', [24.5, 24]],
    // Midnight is skipped: the day starts at one o'clock.
    ['America/Santiago', '2026-09-05T04:00Z', [24, 23]],
    // Clocks go back from one o'clock to midnight; the day starts at the first midnight.
    ['America/Havana', '2026-11-01T04:00Z', [25, 24]],
  ])('handles the longer or shorter day of %s after %s', (zone, from, hours) => {
    const begins = new UsageCalendar(zone).starts('day', slotOf(new Date(from)), slotOf(new Date(from)) + 3 * 96);
    const lengths = begins.slice(1).map((slot, index) => (slot - (begins[index] ?? 0)) / 4);
    expect(lengths.slice(0, 2)).toEqual(hours);
  });

  it('starts hours at full local hours', () => {
    expect(starts('Asia/Kathmandu', 'hour', '2026-11-01T00:00Z', '2026-11-01T03:00Z')).toEqual([
      '2026-11-01T00:00',
      '2026-11-01T00:15',
      '2026-11-01T01:15',
      '2026-11-01T02:15',
    ]);
    expect(starts('UTC', 'quarter', '2026-11-01T00:00Z', '2026-11-01T00:45Z')).toHaveLength(3);
  });

  it('separates the two hours of the same name when clocks are set back', () => {
    const hours = new UsageCalendar('Europe/Berlin').starts(
      'hour',
      slotOf(new Date('2026-10-24T22:00Z')),
      slotOf(new Date('2026-10-25T23:00Z')),
    );
    expect(hours).toHaveLength(25);
    expect(new Set(hours.slice(1).map((slot, index) => slot - (hours[index] ?? 0)))).toEqual(new Set([4]));
  });

  it('has no gaps in any time zone over two years', () => {
    const from = slotOf(new Date('2026-01-01T00:00Z'));
    for (const zone of Intl.supportedValuesOf('timeZone').filter((_, index) => index % 9 === 0)) {
      const begins = new UsageCalendar(zone).starts('day', from, from + 730 * 96);
      const lengths = new Set(begins.slice(2, -1).map((slot, index) => slot - (begins[index + 1] ?? 0)));
      expect([...lengths].every((length) => length >= 22 * 4 && length <= 26 * 4)).toBe(true);
      expect(begins.length).toBeGreaterThanOrEqual(730);
      expect(begins.length).toBeLessThanOrEqual(731);
      expect((begins.at(-1) ?? 0) * 15 * 60_000).toBeGreaterThan(Date.parse('2027-12-30') - HOUR_MS);
    }
  });
});
