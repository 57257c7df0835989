export type TimeZone = 'local' | 'utc';

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const units: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 45, 86_400, 'day'],
  [86_400 * 365, 86_400 * 30.44, 'month'],
  [Number.POSITIVE_INFINITY, 86_400 * 365.25, 'year'],
];

/** "5 min. ago", "in 3 days", "now" */
export function formatRelative(time: Date, now = new Date()): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < 10) return relative.format(0, 'second');
  const [, size, unit] = units.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, 'second' as const];
  return relative.format(unit === 'day' ? daysUntil(time, now) : Math.trunc(seconds / size), unit);
}

/** By calendar days, so that it agrees with a date beside it. */
export function daysUntil(time: Date, now: Date): number {
  return Math.round((midnightOf(time) - midnightOf(now)) / 86_400_000);
}

function midnightOf(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}

/** A 24-hour clock on every page, in any language. */
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** 12:03:20 */
export function formatClock(time: Date, zone: TimeZone = 'local'): string {
  return new Intl.DateTimeFormat(undefined, { ...CLOCK, second: '2-digit', ...zoneOf(zone) }).format(time);
}

/** 21 Nov 2026, 12:03 */
export function formatMinute(time: Date): string {
  return new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK }).format(time);
}

/** 21 Nov 2026, 12:03:20 GMT+1 */
export function formatTime(time: Date, zone: TimeZone = 'local'): string {
  return new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    ...CLOCK,
    second: '2-digit',
    timeZoneName: 'short',
    ...zoneOf(zone),
  }).format(time);
}

/** 21 Nov 2026 */
export function formatDate(time: Date, zone: TimeZone = 'local'): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...zoneOf(zone) }).format(time);
}

function zoneOf(zone: TimeZone): { timeZone?: string } {
  return zone === 'utc' ? { timeZone: 'UTC' } : {};
}
