/** The columns of `usage_calls` that a row is written with, and their types in the JSON that brings it. */
const OPEN_COLUMNS = {
  id: 'text',
  started_at: 'timestamptz',
  instance_id: 'bigint',
  request_id: 'text',
  key_id: 'uuid',
  key_display: 'text',
  user_id: 'uuid',
  plan_id: 'text',
  model: 'text',
  stream: 'boolean',
  price_version: 'text',
  simulated: 'boolean',
  estimated_input_tokens: 'bigint',
  status: 'text',
};

/** What becomes known of a call until its end. */
const END_COLUMNS = {
  status: 'text',
  price_version: 'text',
  served_model: 'text',
  upstream: 'text',
  upstream_model: 'text',
  finish_reason: 'text',
  error_code: 'text',
  input_tokens: 'bigint',
  cached_tokens: 'bigint',
  output_tokens: 'bigint',
  reasoning_tokens: 'bigint',
  token_source: 'text',
  cost_nanodollars: 'bigint',
  attempts: 'jsonb',
  first_token_ms: 'int',
  total_ms: 'int',
};

const CLOSED_COLUMNS = { ...OPEN_COLUMNS, ...END_COLUMNS };

/** What only rows of limited calls have. */
const LIMITED_COLUMNS = { limited_by: 'uuid[]', reserved_nanodollars: 'bigint' };

/** Takes rows as a JSON array. */
export const INSERT_OPEN = `${insertOf(OPEN_COLUMNS)} ON CONFLICT DO NOTHING`;

/**
 * Takes rows as a JSON array, what is asked of the balances, the limited calls, how many rows there are, whether some may
 * be stored already, and whether a balance may have no row yet (see `limit_open`). Rows of calls that are refused are left
 * out.
 */
export const INSERT_OPEN_LIMITED = `
  WITH verdict AS MATERIALIZED (
    SELECT * FROM limit_open($2::json, $3::text, $4::int, $5::boolean, $6::boolean)
  ), opened AS (
    INSERT INTO usage_calls (${namesOf(OPEN_COLUMNS)}, limited_by, reserved_nanodollars, admitted_at)
    SELECT ${namesOf(OPEN_COLUMNS)}, limited_by, CASE WHEN limited_by IS NULL THEN 0 ELSE coalesce(verdict.reserved[place], reserved_nanodollars) END,
      CASE WHEN limited_by IS NOT NULL THEN verdict.at + place * interval '1 microsecond' END
    FROM verdict CROSS JOIN ${placedRows({ ...OPEN_COLUMNS, ...LIMITED_COLUMNS })}
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
export const UPSERT_CLOSED = `${insertOf(CLOSED_COLUMNS)} ${onConflict(namedAsExcluded(END_COLUMNS))}`;

/** What a limited call is charged: at most what was reserved for it, and what it was charged already. */
const CHARGED = `CASE WHEN usage_calls.limited_by IS NULL THEN excluded.cost_nanodollars
  WHEN usage_calls.status = 'settled' THEN usage_calls.cost_nanodollars
  ELSE least(excluded.cost_nanodollars, usage_calls.reserved_nanodollars) END`;

/**
 * The same where limited calls are among them; takes the ids of their balances, too, which are locked first. What those
 * whose rows were open held is given back, and they are charged, by groups (see `limit_charge`); those that were taken for
 * interrupted or whose rows were lost come late (`limit_charge_late`), and for the others it was done before. Which is
 * which the written row tells: only one that was never open has no time of admission, only one that was interrupted says
 * so, and only what was closed before was not closed by this transaction.
 */
export const UPSERT_CLOSED_LIMITED = `
  WITH lock AS MATERIALIZED (
    SELECT limit_lock($2::uuid[]) AS at, pg_current_xact_id()::text::bigint + xid_offset AS transaction
    FROM usage_rollup_state WHERE one
  ), closed AS (
    INSERT INTO usage_calls (${namesOf(CLOSED_COLUMNS)}, limited_by, reserved_nanodollars)
    SELECT ${namesOf(CLOSED_COLUMNS)}, limited_by, CASE WHEN limited_by IS NULL THEN 0 ELSE reserved_nanodollars END
    FROM lock CROSS JOIN json_to_recordset($1::json) AS row (${typesOf({ ...CLOSED_COLUMNS, ...LIMITED_COLUMNS })})
    ${onConflict(`${namedAsExcluded(withoutCost(END_COLUMNS))}, cost_nanodollars = ${CHARGED},
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

function insertOf(columns: Record<string, string>): string {
  const names = namesOf(columns);
  return `INSERT INTO usage_calls (${names}) SELECT ${names} FROM json_to_recordset($1::json) AS row (${typesOf(columns)})`;
}

/** The rows, each with its place from 1. */
function placedRows(columns: Record<string, string>): string {
  return `ROWS FROM (json_to_recordset($1::json) AS (${typesOf(columns)})) WITH ORDINALITY AS row (${namesOf(columns)}, place)`;
}

function withoutCost({ cost_nanodollars: _, ...rest }: Record<string, string>): Record<string, string> {
  return rest;
}

function onConflict(changes: string): string {
  return `ON CONFLICT (id, started_at) DO UPDATE SET ${changes},
    changed_in = CASE WHEN usage_calls.status = 'settled' THEN usage_calls.changed_in ELSE excluded.changed_in END,
    interrupted_in = CASE usage_calls.status
      WHEN 'interrupted' THEN usage_calls.changed_in WHEN 'settled' THEN usage_calls.interrupted_in END
  WHERE usage_calls.status IN ('open', 'interrupted') OR usage_calls.status = 'settled'
    AND usage_calls.error_code IS NULL AND excluded.status = 'settled' AND excluded.error_code IS NOT NULL`;
}

function namedAsExcluded(columns: Record<string, string>): string {
  return Object.keys(columns)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}

function namesOf(columns: Record<string, string>): string {
  return Object.keys(columns).join(', ');
}

function typesOf(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
}
