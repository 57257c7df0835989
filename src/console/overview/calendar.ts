import { wallClockOf } from '../../common/wall-clock.js';

/** A span of time that includes its start but not its end. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

type Unit = 'day' | 'month';
type Clock = ReturnType<typeof wallClockOf>;

/** Today or this month so far, in the calendar of a time zone. */
export function currentSpan(unit: Unit, now: Date, zone: string): Span {
  return { from: startOf(unit, now, wallClockOf(zone), 0), to: now };
}

/** The start of the previous day or month, for as long as the current one has lasted; at most all of it. */
export function previousSpan(unit: Unit, now: Date, zone: string): Span {
  const clock = wallClockOf(zone);
  const current = startOf(unit, now, clock, 0);
  const from = startOf(unit, now, clock, -1);
  const sameStretch = from.getTime() + now.getTime() - current.getTime();
  return { from, to: new Date(Math.min(sameStretch, current.getTime())) };
}

function startOf(unit: Unit, now: Date, clock: Clock, steps: number): Date {
  const shown = new Date(clock(now));
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()];
  return instantOf(unit === 'day' ? Date.UTC(year, month, day + steps) : Date.UTC(year, month + steps, 1), clock);
}

/** The instant at which clocks of the zone show `wall`, a local time written as if it were UTC. */
function instantOf(wall: number, clock: Clock): Date {
  const guess = wall - offsetAt(wall, clock);
  return new Date(wall - offsetAt(guess, clock));
}

function offsetAt(instant: number, clock: Clock): number {
  return clock(new Date(instant)) - Math.floor(instant / 1000) * 1000;
}
