import { SLOT, SUMS, usageEvents } from './usage-events.js';
import { COUNTS, HISTOGRAMS, KINDS, ROLLUP_DIMENSIONS, type RollupKind, rollupTable } from './usage-rollup-kinds.js';
import { ROLLUP_SIZES } from './usage-slots.js';

/** Histograms longer than this many bytes are written anew, as short as can be. */
const LONG_HISTOGRAM = 480;

const DIMENSIONS = ['user_id', 'key_id', 'model', 'upstream', 'status'] as const;
const SUMMED = [...COUNTS, ...HISTOGRAMS].join(', ');
const SIZES = ROLLUP_SIZES.map((size) => `(${size})`).join(', ');

/**
 * Adds what happened in the transactions from $1 until before $2 to the roll-ups. A group's id is a hash of what it
 * stands for: it needs no look-up, and if another version of Postgres hashes otherwise, two ids of one group add up.
 */
export const ROLL_UP = `
  WITH events AS MATERIALIZED (
    SELECT slot, ${DIMENSIONS.join(', ')}, ${COUNTS.join(', ')},
      ${HISTOGRAMS.map((column) => `${shortened(column)} AS ${column}`).join(', ')}
    FROM (
      SELECT ${SLOT} AS slot, ${DIMENSIONS.join(', ')}, ${SUMS}
      FROM (${usageEvents('$1', '$2')}) AS event
      GROUP BY slot, ${DIMENSIONS.join(', ')}
    ) AS sums
  ), told AS (
    SELECT slot, kind, ${DIMENSIONS.map(toldApart).join(', ')}, ${SUMMED}
    FROM events CROSS JOIN (VALUES ${KINDS.map((kind) => `('${kind}')`).join(', ')}) AS kinds (kind)
    WHERE kind <> 'failure' OR status <> 'settled'
  ), named AS MATERIALIZED (
    SELECT hashtextextended(ROW(kind, ${DIMENSIONS.join(', ')})::text, 0) AS group_id, * FROM told
  ), new_groups AS (
    INSERT INTO usage_groups (id, kind, ${DIMENSIONS.join(', ')})
    SELECT DISTINCT group_id, kind, ${DIMENSIONS.join(', ')} FROM named
    ON CONFLICT DO NOTHING
  ), ${KINDS.map((kind) => `into_${kind} AS (${insertInto(kind)})`).join(', ')}
  SELECT`;

/** Where the roll-ups stand, and up to which transaction all have ended and are seen by this snapshot. */
export const READ_STATE = `
  SELECT rolled_up_to AS "from", extract(epoch FROM now() - rolled_up_at) * 1000 AS age,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset AS horizon
  FROM usage_rollup_state`;

/** The number of the transaction behind the first $2 events from $1 on, if there are that many. */
export const END_OF_PORTION = `
  SELECT changed_in + 1 AS "end" FROM usage_calls WHERE status <> 'open' AND changed_in >= $1
  ORDER BY changed_in OFFSET $2 LIMIT 1`;

export const WRITE_STATE = 'UPDATE usage_rollup_state SET rolled_up_to = $1, rolled_up_at = now()';

function shortened(histogram: string): string {
  return `CASE WHEN length(${histogram}) > ${LONG_HISTOGRAM} THEN usage_merged(${histogram}) ELSE ${histogram} END`;
}

function toldApart(dimension: (typeof DIMENSIONS)[number]): string {
  const kinds = KINDS.filter((kind) => ROLLUP_DIMENSIONS[kind].includes(dimension));
  return `CASE WHEN kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) THEN ${dimension} END AS ${dimension}`;
}

function insertInto(kind: RollupKind): string {
  const table = rollupTable(kind);
  return `
    INSERT INTO ${table} (quarters, slot, group_id, ${SUMMED})
    SELECT quarters, slot - slot % quarters, group_id,
      ${COUNTS.map((column) => `sum(${column})`).join(', ')},
      ${HISTOGRAMS.map((column) => shortened(`string_agg(${column}, '')`)).join(', ')}
    FROM named CROSS JOIN (VALUES ${SIZES}) AS sizes (quarters)
    WHERE kind = '${kind}'
    GROUP BY 1, 2, 3
    ON CONFLICT (quarters, group_id, slot) DO UPDATE SET
      ${COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ')},
      ${HISTOGRAMS.map((column) => `${column} = ${shortened(`(${table}.${column} || excluded.${column})`)}`).join(', ')}`;
}
