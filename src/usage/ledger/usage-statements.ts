import { CHANGED_COLUMNS, ROW_TYPES } from './usage-rows.js';

const LIMITED = ['limited_by', 'reserved_nanodollars'];
const OPEN = ROW_TYPES.usage_opening.filter((name) => !LIMITED.includes(name)).join(', ');
const CLOSED = ROW_TYPES.usage_closing.filter((name) => !LIMITED.includes(name)).join(', ');

/** Takes the instance, and rows. */
export const INSERT_OPEN = `
  INSERT INTO usage_calls (instance_id, status, ${OPEN}) SELECT $1::bigint, 'open', ${OPEN}
  FROM unnest($2::usage_opening[]) ON CONFLICT DO NOTHING`;

/**
 * Takes what is asked of the balances, the limited calls, how many rows there are, whether some may be stored already,
 * whether a balance may have no row yet (see `limit_open`), the instance, and rows. Those of refused calls are left out.
 */
export const INSERT_OPEN_LIMITED = `
  WITH verdict AS MATERIALIZED (
    SELECT * FROM limit_open($1::json, $2::text, $3::int, $4::boolean, $5::boolean)
  ), opened AS (
    INSERT INTO usage_calls (instance_id, status, ${OPEN}, limited_by, reserved_nanodollars, admitted_at)
    SELECT $6::bigint, 'open', ${OPEN}, limited_by,
      CASE WHEN limited_by IS NULL THEN 0 ELSE coalesce(verdict.reserved[place], reserved_nanodollars) END,
      CASE WHEN limited_by IS NOT NULL THEN verdict.at + place * interval '1 microsecond' END
    FROM verdict CROSS JOIN unnest($7::usage_opening[]) WITH ORDINALITY AS row (${ROW_TYPES.usage_opening.join(', ')}, place)
    WHERE verdict.refused[place] IS NOT TRUE
    ON CONFLICT DO NOTHING
  )
  SELECT json_build_object('refused', refused, 'reserved', reserved, 'ceilings', ceilings, 'states', states) AS verdict
  FROM verdict`;

/**
 * The whole row, since the open one may be lost with Postgres itself. It wins over `interrupted`, which another process
 * may have written in the belief that this one was gone; a row that is closed for good stays as it is, but that its
 * answer was not delivered may become known later. For the roll-ups the row knows in which transaction it was closed
 * (the column's default), and in which it was interrupted before.
 */
export const UPSERT_CLOSED = `
  INSERT INTO usage_calls (instance_id, ${CLOSED}) SELECT $1::bigint, ${CLOSED}
  FROM unnest($2::usage_closing[]) ${onConflict(namedAsExcluded(CHANGED_COLUMNS))}`;

/** What a limited call is charged: at most what was reserved for it, and what it was charged already. */
const CHARGED = `CASE WHEN usage_calls.limited_by IS NULL THEN excluded.cost_nanodollars
  WHEN usage_calls.status = 'settled' THEN usage_calls.cost_nanodollars
  ELSE least(excluded.cost_nanodollars, usage_calls.reserved_nanodollars) END`;

/**
 * The same where limited calls are among them; takes the ids of their balances first, which are locked first. What those
 * whose rows were open held is given back, and they are charged, by groups (see `limit_charge`); those that were taken for
 * interrupted or whose rows were lost come late (`limit_charge_late`), and for the others it was done before. Which is
 * which the written row tells: only one that was never open has no time of admission, only one that was interrupted says
 * so, and only what was closed before was not closed by this transaction.
 */
export const UPSERT_CLOSED_LIMITED = `
  WITH lock AS MATERIALIZED (
    SELECT limit_lock($1::uuid[]) AS at, pg_current_xact_id()::text::bigint + xid_offset AS transaction
    FROM usage_rollup_state WHERE one
  ), closed AS (
    INSERT INTO usage_calls (instance_id, ${CLOSED}, limited_by, reserved_nanodollars)
    SELECT $2::bigint, ${CLOSED}, limited_by,
      CASE WHEN limited_by IS NULL THEN 0 ELSE reserved_nanodollars END
    FROM lock CROSS JOIN unnest($3::usage_closing[])
    ${onConflict(`${namedAsExcluded(CHANGED_COLUMNS.filter((name) => name !== 'cost_nanodollars'))}, cost_nanodollars = ${CHARGED},
      uncharged_nanodollars = nullif(excluded.cost_nanodollars - ${CHARGED}, 0)`)}
    RETURNING id, started_at, limited_by, admitted_at, reserved_nanodollars AS reserved, cost_nanodollars AS charged,
      uncharged_nanodollars AS uncharged, input_tokens + output_tokens AS tokens, estimated_input_tokens AS estimated,
      changed_in, admitted_at IS NULL OR interrupted_in IS NOT NULL AS is_late
  ), late AS (
    SELECT json_agg(json_build_object('id', id, 'started_at', started_at, 'limited_by', limited_by,
      'cost', charged + coalesce(uncharged, 0), 'reserved', reserved,
      'tokens', greatest(0, tokens - CASE WHEN admitted_at IS NULL THEN 0 ELSE estimated END))) AS calls
    FROM closed CROSS JOIN lock WHERE limited_by IS NOT NULL AND changed_in = lock.transaction AND is_late
  ), groups AS (
    SELECT limited_by::text AS balances, (admitted_at AT TIME ZONE 'UTC')::date AS admitted, count(*)::int AS calls,
      coalesce(sum(reserved), 0)::bigint AS held, sum(charged)::bigint AS charged,
      sum(greatest(0, tokens - estimated))::float8 AS tokens
    FROM closed CROSS JOIN lock WHERE limited_by IS NOT NULL AND changed_in = lock.transaction AND NOT is_late
    GROUP BY limited_by, 2
  )
  SELECT limit_charge(lock.at, sums.balances, sums.admitted, sums.calls, sums.held, sums.charged, sums.tokens),
    CASE WHEN late.calls IS NOT NULL THEN limit_charge_late(late.calls, lock.at) END
  FROM lock CROSS JOIN late CROSS JOIN (
    SELECT array_agg(balances) AS balances, array_agg(admitted) AS admitted, array_agg(calls) AS calls,
      array_agg(held) AS held, array_agg(charged) AS charged, array_agg(tokens) AS tokens FROM groups
  ) AS sums`;

/** Takes back rows of calls that were refused after all, and what they held; takes their ids as a JSON array. */
export const DELETE_OPEN = 'SELECT limit_take_back($1::json)';

function onConflict(changes: string): string {
  return `ON CONFLICT (id, started_at) DO UPDATE SET ${changes},
    changed_in = CASE WHEN usage_calls.status = 'settled' THEN usage_calls.changed_in ELSE excluded.changed_in END,
    interrupted_in = CASE usage_calls.status
      WHEN 'interrupted' THEN usage_calls.changed_in WHEN 'settled' THEN usage_calls.interrupted_in END
  WHERE usage_calls.status IN ('open', 'interrupted') OR usage_calls.status = 'settled'
    AND usage_calls.error_code IS NULL AND excluded.status = 'settled' AND excluded.error_code IS NOT NULL`;
}

function namedAsExcluded(names: readonly string[]): string {
  return names.map((name) => `${name} = excluded.${name}`).join(', ');
}
