import type { TimePoint } from './time-chart.types';

/** The labels of a chart's points: short ones for the axis, the whole time or day for everything else. */
export function toTimePoints(starts: readonly string[], granularity: string, zone: string): TimePoint[] {
  const daily = granularity === 'day';
  const spansDays = starts.length > 1 && daysBetween(starts[0], starts.at(-1)) > 1;
  const tick = format(zone, daily ? DAY : spansDays ? DAY_AND_TIME : TIME);
  const title = format(zone, daily ? WHOLE_DAY : WHOLE_TIME);
  return starts.map((start) => ({ tick: tick(new Date(start)), title: title(new Date(start)) }));
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY_AND_TIME: Intl.DateTimeFormatOptions = { ...DAY, ...TIME };
const WHOLE_DAY: Intl.DateTimeFormatOptions = { weekday: 'short', ...DAY, year: 'numeric' };
const WHOLE_TIME: Intl.DateTimeFormatOptions = { ...WHOLE_DAY, ...TIME, timeZoneName: 'short' };

function format(timeZone: string, options: Intl.DateTimeFormatOptions): (at: Date) => string {
  const formatter = new Intl.DateTimeFormat(undefined, { timeZone, ...options });
  return (at) => formatter.format(at);
}

function daysBetween(first = '', last = ''): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000;
}
