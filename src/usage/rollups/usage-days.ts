import type { EntityManager } from 'typeorm';
import { DROP_HOURS, FIRST_HOUR_FROM, MAKE_DAYS, WRITE_DAYS, WRITE_KEPT } from './usage-day-statements.js';
import type { RollupState } from './usage-rollup-statements.js';

const QUARTERS_OF_DAY = 96;
/** Days are made in four parts, so that the present one has few hours that are read singly. */
const PART = QUARTERS_OF_DAY / 4;
/** After a part has ended, most of its calls have. */
const DELAY = 1;
/** Reports by the hour go over 94 days. */
const DAYS_WITH_HOURS = 100;

/** Makes the next part of a day that had ended by the slot `now`; whether there was one. */
export async function makeDays(manager: EntityManager, { daysUpTo }: RollupState, now: number): Promise<boolean> {
  const first = await firstHourFrom(manager, daysUpTo);
  if (first === null) return false;
  const begin = first - (first % PART);
  const end = begin + PART;
  if (end + DELAY > now) return false;
  await manager.query(MAKE_DAYS, [begin - (begin % QUARTERS_OF_DAY), begin, end]);
  await manager.query(WRITE_DAYS, [end]);
  return true;
}

/** Drops a day of hours, if it is too old by the slot `now`; whether there was one. */
export async function dropOldHours(
  manager: EntityManager,
  { hoursKeptFrom, daysUpTo }: RollupState,
  now: number,
): Promise<boolean> {
  const oldest = now - (now % QUARTERS_OF_DAY) - DAYS_WITH_HOURS * QUARTERS_OF_DAY;
  const first = await firstHourFrom(manager, hoursKeptFrom);
  if (first === null) return false;
  const end = first - (first % QUARTERS_OF_DAY) + QUARTERS_OF_DAY;
  if (end > oldest || ((await firstHourFrom(manager, daysUpTo)) ?? end) < end) return false;
  await manager.query(DROP_HOURS, [hoursKeptFrom, end]);
  await manager.query(WRITE_KEPT, [end]);
  return true;
}

async function firstHourFrom(manager: EntityManager, from: number): Promise<number | null> {
  const [{ slot }]: [{ slot: number | null }] = await manager.query(FIRST_HOUR_FROM, [from]);
  return slot;
}
