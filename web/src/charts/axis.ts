import type { Series } from './series';

export interface TimePoint {
  /** Short, for the axis. */
  tick: string;
  /** In full, for the tooltip. */
  title: string;
}

/** Positions of points and values, in pixels. */
export interface Plot {
  series: readonly Series[];
  /** The width of a point. */
  step: number;
  /** The middle of a point. */
  x: (index: number) => number;
  y: (value: number) => number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** A minute in milliseconds; longer times are counted in minutes. */
const MINUTE = 60_000;

/** Round values from zero to at least the highest, for an axis. */
export function roundTicks(highest: number, unit: 'usd' | 'count' | 'ms', most = 4): number[] {
  if (!(highest > 0)) return [0, unit === 'usd' ? 0.01 : 1];
  const base = unit === 'ms' && highest >= 2 * MINUTE ? MINUTE : 1;
  const step = Math.max(roundStep(highest / base / most, unit !== 'usd'), unit === 'usd' ? 0 : 1) * base;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The next larger round number; a whole one for counts. */
function roundStep(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = STEPS.find((one) => one * power >= least * (1 - 1e-9) && !(isWhole && one * power < 10 && one === 2.5));
  return (step ?? 10) * power;
}

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
