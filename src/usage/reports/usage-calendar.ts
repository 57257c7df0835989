import { wallClockOf } from '../../common/wall-clock.js';
import { slotFrom, slotOf, startOfSlot } from '../rollups/usage-slots.js';

export type Granularity = 'quarter' | 'hour' | 'day';

const DAY_MS = 86_400_000;
const QUARTERS_OF_DAY = 96;
const QUARTERS_OF_HOUR = 4;
/** The largest offset from UTC. */
const FARTHEST_ZONE = 15 * QUARTERS_OF_HOUR;

/** Calendar units in a time zone. The offsets of all current zones are whole quarter-hours. */
export class UsageCalendar {
  private readonly clock: (at: Date) => number;

  constructor(zone: string) {
    this.clock = wallClockOf(zone);
  }

  /** The first slots of the quarter-hours, hours or days in a range; the first unit may be partial. */
  starts(granularity: Granularity, from: number, to: number): number[] {
    const starts: number[] = [];
    for (let slot = from; slot < to; slot = Math.max(slot + 1, this.next(granularity, slot))) starts.push(slot);
    return starts;
  }

  private next(granularity: Granularity, slot: number): number {
    if (granularity === 'quarter') return slot + 1;
    return granularity === 'hour' ? this.nextHour(slot) : this.nextDay(slot);
  }

  private nextHour(slot: number): number {
    const minutes = (at: number) => new Date(this.wallClock(at)).getUTCMinutes();
    for (let next = slot + 1; next < slot + QUARTERS_OF_HOUR; next++) if (minutes(next) === 0) return next;
    return slot + QUARTERS_OF_HOUR;
  }

  /** The first slot of the next date: usually 23, 24 or 25 hours later, and later where midnight is skipped. */
  private nextDay(slot: number): number {
    const day = this.dayOf(slot) + 1;
    const guess = slotFrom(new Date(2 * day * DAY_MS - this.wallClock(day * QUARTERS_OF_DAY)));
    if (this.dayOf(guess) === day && this.dayOf(guess - 1) === day - 1) return guess;
    let before = Math.max(slot, day * QUARTERS_OF_DAY - FARTHEST_ZONE);
    let after = day * QUARTERS_OF_DAY + FARTHEST_ZONE;
    while (after - before > 1) {
      const middle = (before + after) >> 1;
      if (this.dayOf(middle) >= day) after = middle;
      else before = middle;
    }
    return after;
  }

  /** Days since 1970. */
  private dayOf(slot: number): number {
    return Math.floor(this.wallClock(slot) / DAY_MS);
  }

  /** The local time at a slot, as if it were UTC. */
  private wallClock(slot: number): number {
    return this.clock(startOfSlot(slot));
  }
}

/** The range, extended to whole quarter-hours. */
export function toSlots(from: Date, to: Date): { from: number; to: number } {
  return { from: slotOf(from), to: slotFrom(to) };
}

/** Like `toSlots`, up to the quarter-hour of `now`. */
export function toPastSlots(from: Date, to: Date, now: Date): { from: number; to: number } {
  const span = toSlots(from, to);
  return { from: span.from, to: Math.max(span.from, Math.min(span.to, slotFrom(now))) };
}
