import { wallClockOf } from '../../common/wall-clock.js';
import { DAY, HOUR, type SlotSpan, slotFrom, slotOf, startOfSlot } from '../rollups/usage-pieces.js';

export type Granularity = 'quarter' | 'hour' | 'day' | 'month';

const DAY_MS = 86_400_000;
/** The largest offset from UTC. */
const MAX_ZONE_OFFSET_MS = 15 * HOUR;
/** A zone that has the same offset at both ends of such a block, of four days, has it throughout. */
const BLOCK = 4 * DAY;

/** Calendar units in a time zone. The offsets of all current zones are whole quarter-hours. */
export class UsageCalendar {
  private readonly clock: (at: Date) => number;
  /** The offset from UTC in each block, in ms; null if it changes there. Asking for it takes longer than all the rest. */
  private readonly offsets = new Map<number, number | null>();

  constructor(zone: string) {
    this.clock = wallClockOf(zone);
  }

  /** The first slots of the quarter-hours, hours, days or months in a range; the first unit may be partial. */
  starts(granularity: Granularity, from: number, to: number): number[] {
    const starts: number[] = [];
    for (let slot = from; slot < to; slot = Math.max(slot + 1, this.next(granularity, slot))) starts.push(slot);
    return starts;
  }

  private next(granularity: Granularity, slot: number): number {
    if (granularity === 'quarter') return slot + 1;
    if (granularity === 'hour') return this.nextHour(slot);
    return granularity === 'day' ? this.nextDay(slot) : this.nextMonth(slot);
  }

  private nextHour(slot: number): number {
    const minutes = (at: number) => new Date(this.wallClock(at)).getUTCMinutes();
    for (let next = slot + 1; next < slot + HOUR; next++) if (minutes(next) === 0) return next;
    return slot + HOUR;
  }

  /** The first slot of the next date: usually 23, 24 or 25 hours later, and later where midnight is skipped. */
  private nextDay(slot: number): number {
    const day = this.dayOf(slot) + 1;
    const guess = slotFrom(new Date(2 * day * DAY_MS - this.wallClock(day * DAY)));
    if (this.dayOf(guess) === day && this.dayOf(guess - 1) === day - 1) return guess;
    let before = Math.max(slot, day * DAY - MAX_ZONE_OFFSET_MS);
    let after = day * DAY + MAX_ZONE_OFFSET_MS;
    while (after - before > 1) {
      const middle = (before + after) >> 1;
      if (this.dayOf(middle) >= day) after = middle;
      else before = middle;
    }
    return after;
  }

  private nextMonth(slot: number): number {
    let next = this.nextDay(slot);
    while (new Date(this.wallClock(next)).getUTCDate() !== 1) next = this.nextDay(next);
    return next;
  }

  /** Days since 1970. */
  private dayOf(slot: number): number {
    return Math.floor(this.wallClock(slot) / DAY_MS);
  }

  /** The local time at a slot, as if it were UTC. */
  private wallClock(slot: number): number {
    const offset = this.offsetIn(Math.floor(slot / BLOCK)) ?? this.offsetAt(slot);
    return startOfSlot(slot).getTime() + offset;
  }

  private offsetIn(block: number): number | null {
    let offset = this.offsets.get(block);
    if (offset === undefined) {
      const [first, next] = [this.offsetAt(block * BLOCK), this.offsetAt((block + 1) * BLOCK)];
      offset = first === next ? first : null;
      this.offsets.set(block, offset);
    }
    return offset;
  }

  private offsetAt(slot: number): number {
    const start = startOfSlot(slot);
    return this.clock(start) - start.getTime();
  }
}

/** The range, extended to whole quarter-hours, up to the quarter-hour of `now`. */
export function toPastSlots(from: Date, to: Date, now: Date): SlotSpan {
  const first = slotOf(from);
  return { from: first, to: Math.max(first, Math.min(slotFrom(to), slotFrom(now))) };
}
