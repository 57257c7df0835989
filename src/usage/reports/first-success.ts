import { HOUR_OF_CALL } from './hour-parts.js';

const SLOT_SECONDS = 900;
const startOf = (slot: string) => `to_timestamp((${slot})::float8 * ${SLOT_SECONDS})`;

/**
 * The user's first successful call, if any. $1: the user's id. → `FirstSuccess`
 *
 * Searches hours in order. Before the hourly sums start, every hour, if the user had any calls then. Afterwards, the
 * hours of days on which the user may have an answered call, and the newest hours, which have no daily sums yet.
 */
export const FIRST_OF_USER = `
  SELECT call.* FROM (
    SELECT hours_begin, days_up_to, oldest.day, ledger.first, ledger.last FROM usage_rollup_state CROSS JOIN LATERAL (
      SELECT min(slot) AS day FROM usage_key_days
    ) AS oldest CROSS JOIN LATERAL (
      SELECT date_bin('1 hour', min(started_at), '2000-01-01 00:00:00+00'::timestamptz) AS first, max(started_at) AS last
      FROM usage_calls WHERE status <> 'open'
    ) AS ledger
  ) AS state CROSS JOIN LATERAL (
    SELECT hour FROM generate_series(first, least(last, ${startOf('hours_begin - 1')}), interval '1 hour') AS hour
      WHERE EXISTS (SELECT FROM usage_groups WHERE user_id = $1 AND kind = 'key')
    UNION ALL SELECT ${startOf('day.slot + 4 * of_day')} FROM generate_series(state.day, days_up_to, 96) AS day (slot)
      CROSS JOIN generate_series(0, 23) AS of_day
      WHERE EXISTS (SELECT FROM usage_key_days AS made
        WHERE made.slot = day.slot AND user_id = $1 AND calls > errors + aborted OFFSET 0)
    UNION ALL SELECT hour FROM generate_series(greatest(first, ${startOf('days_up_to')}), last, interval '1 hour') AS hour
  ) AS hours CROSS JOIN LATERAL (
    SELECT started_at AS at, model FROM usage_calls
    WHERE status <> 'open' AND ${HOUR_OF_CALL} = hour AND user_id = $1
      AND started_at >= hour AND started_at < hour + interval '1 hour' AND status = 'settled'
    ORDER BY started_at LIMIT 1
  ) AS call LIMIT 1`;
