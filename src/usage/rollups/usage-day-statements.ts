import { COUNTS, HISTOGRAMS } from './usage-rollup-kinds.js';
import { replaced, SUMMED, SUMS_OF_ROWS } from './usage-rollup-sql.js';

const UNIFORM = ['model', 'upstream', 'status'] as const;
const COLUMNS = [...COUNTS, ...HISTOGRAMS];

/**
 * Makes the days of `touched` keys (day, user_id, key_id) anew, from their hours until before slot `upTo`: a row for each
 * key, and where it has calls of several models, upstreams or statuses, a row for each of those.
 */
function daysOf(touched: string, upTo: string): string {
  return `
    WITH touched AS MATERIALIZED (${touched}), groups AS MATERIALIZED (
      SELECT day, user_id, key_id, group_id, model, upstream, status, ${SUMS_OF_ROWS}
      FROM touched CROSS JOIN generate_series(day, least(day + 96, ${upTo}) - 1, 4) AS slot
        JOIN usage_hours USING (slot, user_id, key_id)
      GROUP BY day, user_id, key_id, group_id, model, upstream, status
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

/** Of keys $1 (days), $2 (users), $3 (keys), up to slot $4: their hours have changed. */
export const REMAKE_DAYS = daysOf(
  'SELECT * FROM unnest($1::int[], $2::uuid[], $3::uuid[]) AS late (day, user_id, key_id)',
  '$4::int',
);

/** Of all keys with calls from slot $1 until before $2, which are parts of one day. */
export const MAKE_DAYS = daysOf(
  'SELECT DISTINCT $1::int - $1::int % 96 AS day, user_id, key_id FROM usage_hours WHERE slot >= $1 AND slot < $2',
  '$2::int',
);

export const FIRST_HOUR_FROM = 'SELECT min(slot) AS slot FROM usage_hours WHERE slot >= $1';

export const WRITE_DAYS = 'UPDATE usage_rollup_state SET days_up_to = $1';

/** Drops the hours from $1 until before $2. */
export const DROP_HOURS = 'DELETE FROM usage_hours WHERE slot >= $1 AND slot < $2';

export const WRITE_KEPT = 'UPDATE usage_rollup_state SET hours_kept_from = $1';
