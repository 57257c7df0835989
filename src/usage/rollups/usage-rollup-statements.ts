import { SLOT, SUMS, usageEvents } from './usage-events.js';
import { ROLLUP_SIZES } from './usage-pieces.js';
import {
  COUNTS,
  HISTOGRAMS,
  OLD_KINDS,
  ROLLUP_DIMENSIONS,
  type RollupKind,
  rollupTable,
  SHARED_KINDS,
} from './usage-rollup-kinds.js';

/** Longer histograms, in bytes, are compacted. */
const LONG_HISTOGRAM = 480;

export const DIMENSIONS = ['user_id', 'key_id', 'model', 'upstream', 'status', 'api'] as const;

export const SUMMED = [...COUNTS, ...HISTOGRAMS].join(', ');

export const SUMS_OF_ROWS = [
  ...COUNTS.map((column) => `sum(${column})::bigint AS ${column}`),
  ...HISTOGRAMS.map((column) => `${shortened(`string_agg(${column}, '')`)} AS ${column}`),
].join(', ');

function addedTo(table: string): string {
  return [
    ...COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...HISTOGRAMS.map((column) => `${column} = ${shortened(`(${table}.${column} || excluded.${column})`)}`),
  ].join(', ');
}

export function replaced(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ');
}

function shortened(histogram: string): string {
  return `CASE WHEN length(${histogram}) > ${LONG_HISTOGRAM} THEN usage_merged(${histogram}) ELSE ${histogram} END`;
}

const SIZES = ROLLUP_SIZES.map((size) => `(${size})`).join(', ');

const EVENTS = `
  SELECT slot, ${DIMENSIONS.join(', ')}, ${COUNTS.join(', ')},
    ${HISTOGRAMS.map((column) => `${shortened(column)} AS ${column}`).join(', ')}
  FROM (
    SELECT ${SLOT} AS slot, ${DIMENSIONS.join(', ')}, ${SUMS}
    FROM (${usageEvents('$1', '$2')}) AS event
    GROUP BY slot, ${DIMENSIONS.join(', ')}
  ) AS sums`;

/** Empty for chat completions, whose groups keep their ids from the time before other APIs. */
const OF_API = "CASE WHEN api = 'chat.completions' THEN '' ELSE coalesce(api, '') END";

const OTHERS = DIMENSIONS.filter((dimension) => dimension !== 'api').join(', ');

/**
 * A hash of the group, which needs no look-up. If another version of Postgres computes another hash, the group has two
 * ids, whose sums are added.
 */
const HOUR_GROUP = `hashtextextended(ROW(model, upstream, status)::text || ${OF_API}, 0)`;

/**
 * Adds the events of the transactions from $1 until before $2 to the roll-ups with few groups and, from slot $3 on, to
 * the hours. Returns the remaining work: the keys with events in days that are already built (slots from $4 until
 * before $5), and one slot before $3 if there is any.
 */
export const ROLL_UP = `
  WITH events AS MATERIALIZED (${EVENTS}), ${insertInto(SHARED_KINDS, 'true')}, into_hours AS (
    INSERT INTO usage_hours (slot, user_id, key_id, group_id, model, upstream, status, api, ${SUMMED})
    SELECT slot - slot % 4, user_id, key_id, ${HOUR_GROUP}, model, upstream, status, api, ${SUMS_OF_ROWS}
    FROM events WHERE slot >= $3
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4
    ON CONFLICT (slot, user_id, key_id, group_id) DO UPDATE SET ${addedTo('usage_hours')}
  )
  SELECT DISTINCT slot - slot % 96 AS day, user_id AS "userId", key_id AS "keyId", slot < $3 AS "isOld" FROM events
  WHERE slot >= greatest($3, $4) AND slot < $5
  UNION ALL (SELECT slot, NULL, NULL, true FROM events WHERE slot < $3 LIMIT 1)`;

/** For the old kinds, before slot $3. */
export const ROLL_UP_OLD = `
  WITH events AS MATERIALIZED (${EVENTS}), ${insertInto(OLD_KINDS, 'slot < $3')}
  SELECT`;

/** The relevant part of `usage_rollup_state`. Slots are quarter-hours. */
export interface RollupState {
  from: string;
  age: string;
  horizon: string;
  hoursBegin: number;
  hoursStoredFrom: number;
  daysUpTo: number;
}

/** The state of the roll-ups, and the transaction before which all transactions have ended and are visible. */
export const READ_STATE = `
  SELECT rolled_up_to AS "from", extract(epoch FROM now() - rolled_up_at) * 1000 AS age,
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset AS horizon,
    hours_begin AS "hoursBegin", hours_kept_from AS "hoursStoredFrom", days_up_to AS "daysUpTo"
  FROM usage_rollup_state`;

/** The transaction after the first $2 events from $1 on, if there are that many. */
export const END_OF_PORTION = `
  SELECT changed_in + 1 AS "end" FROM usage_calls WHERE status <> 'open' AND changed_in >= $1
  ORDER BY changed_in OFFSET $2 LIMIT 1`;

export const WRITE_STATE = 'UPDATE usage_rollup_state SET rolled_up_to = $1, rolled_up_at = now()';

function insertInto(kinds: readonly RollupKind[], condition: string): string {
  return `split AS (
    SELECT slot, kind, ${DIMENSIONS.map((dimension) => groupedColumn(kinds, dimension)).join(', ')}, ${SUMMED}
    FROM events CROSS JOIN (VALUES ${kinds.map((kind) => `('${kind}')`).join(', ')}) AS kinds (kind)
    WHERE (kind <> 'failure' OR status <> 'settled') AND ${condition}
  ), named AS MATERIALIZED (
    SELECT slot, kind, ${DIMENSIONS.join(', ')}, hashtextextended(ROW(kind, ${OTHERS})::text || ${OF_API}, 0) AS group_id,
      ${SUMS_OF_ROWS}
    FROM split GROUP BY slot, kind, ${DIMENSIONS.join(', ')}
  ), new_groups AS (
    INSERT INTO usage_groups (id, kind, ${DIMENSIONS.join(', ')})
    SELECT DISTINCT group_id, kind, ${DIMENSIONS.join(', ')} FROM named
    ON CONFLICT DO NOTHING
  ), ${kinds.map((kind) => `into_${kind} AS (${insertIntoKind(kind)})`).join(', ')}`;
}

function groupedColumn(kinds: readonly RollupKind[], dimension: (typeof DIMENSIONS)[number]): string {
  const telling = kinds.filter((kind) => ROLLUP_DIMENSIONS[kind].includes(dimension));
  const type = dimension.endsWith('_id') ? 'uuid' : 'text';
  const isReported = telling.length === 0 ? 'false' : `kind IN (${telling.map((kind) => `'${kind}'`).join(', ')})`;
  return `CASE WHEN ${isReported} THEN ${dimension} END::${type} AS ${dimension}`;
}

function insertIntoKind(kind: RollupKind): string {
  const table = rollupTable(kind);
  return `
    INSERT INTO ${table} (quarters, slot, group_id, ${SUMMED})
    SELECT quarters, slot - slot % quarters, group_id, ${SUMS_OF_ROWS}
    FROM named CROSS JOIN (VALUES ${SIZES}) AS sizes (quarters)
    WHERE kind = '${kind}'
    GROUP BY 1, 2, 3
    ON CONFLICT (quarters, group_id, slot) DO UPDATE SET ${addedTo(table)}`;
}
