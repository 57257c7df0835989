export type TimeZone = 'local' | 'utc';

/** In the language of the page's words, whatever the browser's is. */
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const units: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 45, 86_400, 'day'],
  [86_400 * 365, 86_400 * 30.44, 'month'],
  [Number.POSITIVE_INFINITY, 86_400 * 365.25, 'year'],
];

/** "5 minutes ago", "in 3 days", "now" */
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

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter takes much longer than formatting; a long list would make thousands. */
function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify(options);
  const known = formatters.get(name) ?? new Intl.DateTimeFormat(undefined, options);
  formatters.set(name, known);
  return known;
}

/** A 24-hour clock on every page, in any language. */
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** 12:03:20 */
export function formatClock(time: Date, zone: TimeZone = 'local'): string {
  return formatterOf({ ...CLOCK, second: '2-digit', ...zoneOf(zone) }).format(time);
}

/** 21 Nov 2026, 12:03 */
export function formatMinute(time: Date): string {
  return formatterOf({ year: 'numeric', month: 'short', day: 'numeric', ...CLOCK }).format(time);
}

/** 21 Nov 2026, 12:03:20 GMT+1 */
export function formatTime(time: Date, zone: TimeZone = 'local'): string {
  return formatterOf({
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
  return formatterOf({ dateStyle: 'medium', ...zoneOf(zone) }).format(time);
}

function zoneOf(zone: TimeZone): { timeZone?: string } {
  return zone === 'utc' ? { timeZone: 'UTC' } : {};
}

const DAY_MS = 86_400_000;

/** Choices for the end of a grant. */
export const ENDS = [
  { value: 'never', label: 'No end' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a custom date' },
] as const;

export type GrantEnd = (typeof ENDS)[number]['value'];

/** The time of a choice, ISO 8601; null for none. A chosen day ends at midnight in the local time zone. */
export function endOf(end: GrantEnd, day: string, now = new Date()): string | null {
  if (end === 'never') return null;
  const at = end === 'day' ? new Date(`${day}T23:59:59`) : new Date(now.getTime() + Number(end) * DAY_MS);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** 2026-11-21, in the local time zone: the format of a date field. */
export function localDay(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

const TIME_IN_TEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;
const DAY_IN_TEXT = /\b\d{4}-\d\d-\d\d\b/g;
const MONTH_IN_TEXT = /\b\d{4}-\d\d\b/g;

/** The gateway's texts name times, days and months in ISO 8601: "It resets at 1 Dec 2026, 01:00". */
export function withHumanTimes(text: string): string {
  return text
    .replaceAll(TIME_IN_TEXT, (time) => formatMinute(new Date(time)))
    .replaceAll(DAY_IN_TEXT, (day) => formatDate(new Date(`${day}T00:00:00Z`), 'utc'))
    .replaceAll(MONTH_IN_TEXT, (month) =>
      formatterOf({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`)),
    );
}
