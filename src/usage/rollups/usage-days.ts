import type { EntityManager } from 'typeorm';
import { DAY, dayOf } from './usage-pieces.js';
import { COUNTS, HISTOGRAMS } from './usage-rollup-kinds.js';
import { type RollupState, replaced, SUMMED, SUMS_OF_ROWS } from './usage-rollup-statements.js';

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
  { hoursStoredFrom, daysUpTo }: RollupState,
  now: number,
): Promise<boolean> {
  const oldest = dayOf(now) - DAYS_WITH_HOURS * DAY;
  const first = await firstHourFrom(manager, hoursStoredFrom);
  if (first === null) return false;
  const end = dayOf(first) + DAY;
  if (end > oldest || ((await firstHourFrom(manager, daysUpTo)) ?? end) < end) return false;
  await manager.query(DROP_HOURS, [hoursStoredFrom, end]);
  await manager.query(WRITE_STORED, [end]);
  return true;
}

async function firstHourFrom(manager: EntityManager, from: number): Promise<number | null> {
  const [{ slot }]: [{ slot: number | null }] = await manager.query(FIRST_HOUR_FROM, [from]);
  return slot;
}

const UNIFORM = ['model', 'upstream', 'status', 'api'] as const;
const COLUMNS = [...COUNTS, ...HISTOGRAMS];

/**
 * Rebuilds the days of `touched` keys (day, user_id, key_id) from their `hours`: a row per key and, for keys with
 * several models, upstreams, statuses or APIs, a row for each combination.
 */
function daysOf(touched: string, hours: string): string {
  return `
    WITH touched AS MATERIALIZED (${touched}), groups AS MATERIALIZED (
      SELECT day, user_id, key_id, group_id, ${UNIFORM.join(', ')}, ${SUMS_OF_ROWS}
      FROM ${hours}
      GROUP BY day, user_id, key_id, group_id, ${UNIFORM.join(', ')}
    ), keys AS MATERIALIZED (
      SELECT day, user_id, key_id, count(*) > 1 AS is_mixed,
        ${UNIFORM.map((column) => `CASE WHEN count(*) = 1 THEN min(${column}) END AS ${column}`).join(', ')}, ${SUMS_OF_ROWS}
      FROM groups GROUP BY day, user_id, key_id
    ), into_keys AS (
      INSERT INTO usage_key_days (slot, user_id, key_id, is_mixed, ${UNIFORM.join(', ')}, ${SUMMED})
      SELECT day, user_id, key_id, is_mixed, ${UNIFORM.join(', ')}, ${SUMMED} FROM keys ORDER BY 1, 2, 3
      ON CONFLICT (slot, user_id, key_id) DO UPDATE SET ${replaced(['is_mixed', ...UNIFORM, ...COLUMNS])}
    )
    INSERT INTO usage_call_days (slot, user_id, key_id, group_id, ${UNIFORM.join(', ')}, ${SUMMED})
    SELECT day, user_id, key_id, group_id, ${UNIFORM.map((column) => `groups.${column}`).join(', ')},
      ${COLUMNS.map((column) => `groups.${column}`).join(', ')}
    FROM groups JOIN keys USING (day, user_id, key_id) WHERE is_mixed ORDER BY 1, 2, 3, 4
    ON CONFLICT (slot, user_id, key_id, group_id) DO UPDATE SET ${replaced(COLUMNS)}`;
}

/**
 * For keys $1 (days), $2 (users), $3 (keys) whose hours before slot $4 have changed. `OFFSET 0` makes the planner use
 * look-ups.
 */
export const REMAKE_DAYS = daysOf(
  'SELECT * FROM unnest($1::int[], $2::uuid[], $3::uuid[]) AS late (day, user_id, key_id)',
  `touched CROSS JOIN generate_series(day, least(day + 96, $4::int) - 1, 4) AS hours (hour) CROSS JOIN LATERAL (
    SELECT group_id, ${UNIFORM.join(', ')}, ${SUMMED} FROM usage_hours AS one
    WHERE one.slot = hour AND one.user_id = touched.user_id AND one.key_id = touched.key_id OFFSET 0
  ) AS sums`,
);

/** For all keys with calls from slot $2 until before $3, a part of the day that starts with slot $1. */
const MAKE_DAYS = daysOf(
  'SELECT DISTINCT $1::int AS day, user_id, key_id FROM usage_hours WHERE slot >= $2 AND slot < $3',
  '(SELECT * FROM usage_hours WHERE slot >= $1 AND slot < $3) AS hours JOIN touched USING (user_id, key_id)',
);

const FIRST_HOUR_FROM = 'SELECT min(slot) AS slot FROM usage_hours WHERE slot >= $1';

const WRITE_DAYS = 'UPDATE usage_rollup_state SET days_up_to = $1';

/** From slot $1 until before $2. */
const DROP_HOURS = 'DELETE FROM usage_hours WHERE slot >= $1 AND slot < $2';

/** All days before slot $1 are built. */
const WRITE_STORED = 'UPDATE usage_rollup_state SET hours_kept_from = $1, days_up_to = greatest(days_up_to, $1)';
