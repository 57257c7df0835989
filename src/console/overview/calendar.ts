/** A span of time: from its first instant until before its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

type Unit = 'day' | 'month';

/** Today or this month so far, as the calendar of a time zone has them. */
export function currentSpan(unit: Unit, now: Date, zone: string): Span {
  return { from: startOf(unit, now, zone, 0), to: now };
}

/** The same stretch of the day or month before: as long as the current one has lasted, and never longer than it was. */
export function previousSpan(unit: Unit, now: Date, zone: string): Span {
  const current = startOf(unit, now, zone, 0);
  const from = startOf(unit, now, zone, -1);
  const sameStretch = from.getTime() + now.getTime() - current.getTime();
  return { from, to: new Date(Math.min(sameStretch, current.getTime())) };
}

function startOf(unit: Unit, now: Date, zone: string, steps: number): Date {
  const { year, month, day } = wallClock(now, zone);
  const wall = unit === 'day' ? Date.UTC(year, month - 1, day + steps) : Date.UTC(year, month - 1 + steps, 1);
  return instantOf(wall, zone);
}

/** The instant at which a zone's clocks show `wall`, which is given as if it were UTC. */
function instantOf(wall: number, zone: string): Date {
  const guess = wall - offsetAt(wall, zone);
  return new Date(wall - offsetAt(guess, zone));
}

function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(new Date(instant), zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

function wallClock(at: Date, zone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}
