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
  return relative.format(Math.trunc(seconds / size), unit);
}

/** 21 Nov 2026, 12:03:20 GMT+1 */
export function formatTime(time: Date, zone: TimeZone = 'local'): string {
  return new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
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
