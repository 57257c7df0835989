import type { SearchParams } from './search-params';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const PRESETS = ['today', '7d', '30d', 'month', 'last-month', 'billing-month', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

export type ZoneChoice = 'local' | 'utc';

/** A range as in the address: a preset, or two days, both included. */
export interface RangeChoice {
  preset: Preset;
  zone: ZoneChoice;
  /** `2026-11-21`; only for a custom range. */
  fromDay: string | null;
  toDay: string | null;
}

export interface Span {
  from: Date;
  to: Date;
}

/** The name of the time zone, in the format of the gateway's API. */
export function zoneName(zone: ZoneChoice): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The start and end of a range; a range that is not over ends now. */
export function toSpan({ preset, zone, fromDay, toDay }: RangeChoice, now: Date): Span {
  if (preset === 'custom') {
    const from = parseDay(fromDay);
    const to = parseDay(toDay ?? fromDay);
    if (from && to && from <= to) {
      return { from: startOfDay(from, zone), to: earlier(startOfDay(to, zone, 1), now, startOfDay(from, zone)) };
    }
  }
  const today = dayOf(now, zone);
  const [year, month] = today;
  if (isMonth(preset)) return { from: startOfDay([year, month, 1], zone), to: now };
  if (preset === 'last-month') {
    return { from: startOfDay([year, month - 1, 1], zone), to: startOfDay([year, month, 1], zone) };
  }
  return { from: startOfDay(today, zone, 1 - daysOf(preset)), to: now };
}

/**
 * The previous period of the same length, up to the same hour: yesterday, the days before, or the same days of last
 * month.
 */
export function toSpanBefore(choice: RangeChoice, now: Date): Span {
  const { zone } = choice;
  const { from, to } = toSpan(choice, now);
  if (isMonth(choice.preset) || choice.preset === 'last-month') {
    const [year, month] = dayOf(from, zone);
    const begin = startOfDay([year, month - 1, 1], zone);
    const end = begin.getTime() + to.getTime() - from.getTime();
    return { from: begin, to: new Date(Math.min(end, from.getTime())) };
  }
  const days = daysIn({ from, to }, zone);
  return { from: daysBefore(from, days, zone), to: daysBefore(to, days, zone) };
}

function isMonth(preset: Preset): boolean {
  return preset === 'month' || preset === 'billing-month';
}

/** What the values of a range in an address may be. */
export const RANGE_RULES = { range: PRESETS, zone: ['utc', 'local'], from: DAY, to: DAY } as const;

/** The range in an address. Budgets are of months in UTC, and so is the billing month. */
export function toRange({ range, zone, from, to }: SearchParams): RangeChoice {
  const preset = PRESETS.find((one) => one === range) ?? '7d';
  return {
    preset,
    zone: zone === 'utc' || preset === 'billing-month' ? 'utc' : 'local',
    fromDay: from ?? null,
    toDay: to ?? null,
  };
}

/** Whether a range includes today, so that it still grows. */
export function isGrowing({ preset, zone, toDay, fromDay }: RangeChoice, now: Date): boolean {
  if (preset === 'last-month') return false;
  if (preset !== 'custom') return true;
  const last = parseDay(toDay ?? fromDay);
  return last === null || startOfDay(last, zone, 1) > now;
}

type Day = readonly [year: number, month: number, day: number];

function daysOf(preset: Preset): number {
  if (preset === 'today') return 1;
  return preset === '7d' ? 7 : 30;
}

function dayOf(at: Date, zone: ZoneChoice): Day {
  return zone === 'utc'
    ? [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
    : [at.getFullYear(), at.getMonth() + 1, at.getDate()];
}

function startOfDay([year, month, day]: Day, zone: ZoneChoice, plusDays = 0): Date {
  return zone === 'utc'
    ? new Date(Date.UTC(year, month - 1, day + plusDays))
    : new Date(year, month - 1, day + plusDays);
}

/** The number of calendar days that a span touches. */
function daysIn({ from, to }: Span, zone: ZoneChoice): number {
  const last = startOfDay(dayOf(new Date(Math.max(from.getTime(), to.getTime() - 1)), zone), zone);
  return Math.round((last.getTime() - from.getTime()) / DAY_MS) + 1;
}

/** The same time of day, a number of days earlier. */
function daysBefore(at: Date, days: number, zone: ZoneChoice): Date {
  const before = new Date(at);
  if (zone === 'utc') before.setUTCDate(at.getUTCDate() - days);
  else before.setDate(at.getDate() - days);
  return before;
}

function parseDay(text: string | null): Day | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '') ?? [];
  return year && month && day ? [Number(year), Number(month), Number(day)] : null;
}

/** The end, or now if that is earlier; but after the start, which may be in the future. */
function earlier(end: Date, now: Date, from: Date): Date {
  return now < end && now > from ? now : end;
}
