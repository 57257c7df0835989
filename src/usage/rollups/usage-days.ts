import type { EntityManager } from 'typeorm';
import { DROP_HOURS, FIRST_HOUR_FROM, MAKE_DAYS, WRITE_DAYS, WRITE_KEPT } from './usage-day-statements.js';
import type { RollupState } from './usage-rollup-statements.js';
import { DAY, dayOf } from './usage-slots.js';

/** Days are built in four parts, so that few hours of the current day are read separately. */
const PART = DAY / 4;
/** In slots. After this long, most calls of a part have ended. */
const DELAY = 1;
/** Hourly reports cover 94 days. */
const DAYS_WITH_HOURS = 100;

/** Builds the next part of a day that ended before slot `now`; false if there is none. */
export async function makeDays(manager: EntityManager, { daysUpTo }: RollupState, now: number): Promise<boolean> {
  const first = await firstHourFrom(manager, daysUpTo);
  if (first === null) return false;
  const begin = first - (first % PART);
  const end = begin + PART;
  if (end + DELAY > now) return false;
  await manager.query(MAKE_DAYS, [dayOf(begin), begin, end]);
  await manager.query(WRITE_DAYS, [end]);
  return true;
}

/** Deletes the hours of one day that is too old at slot `now`; false if there is none. */
export async function dropOldHours(
  manager: EntityManager,
  { hoursKeptFrom, daysUpTo }: RollupState,
  now: number,
): Promise<boolean> {
  const oldest = dayOf(now) - DAYS_WITH_HOURS * DAY;
  const first = await firstHourFrom(manager, hoursKeptFrom);
  if (first === null) return false;
  const end = dayOf(first) + DAY;
  if (end > oldest || ((await firstHourFrom(manager, daysUpTo)) ?? end) < end) return false;
  await manager.query(DROP_HOURS, [hoursKeptFrom, end]);
  await manager.query(WRITE_KEPT, [end]);
  return true;
}

async function firstHourFrom(manager: EntityManager, from: number): Promise<number | null> {
  const [{ slot }]: [{ slot: number | null }] = await manager.query(FIRST_HOUR_FROM, [from]);
  return slot;
}
