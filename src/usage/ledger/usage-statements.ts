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
 * Takes rows as a JSON array, what is asked of the balances, the limited calls, how many rows there are, and whether some
 * may be stored already (see `limit_admit`). Rows of calls that are refused are left out.
 */
export const INSERT_OPEN_LIMITED = `
  WITH verdict AS MATERIALIZED (SELECT * FROM limit_admit($2::json, $3::json, $4::int, $5::boolean)), opened AS (
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

/** The same where limited calls are among them: what they held is given back, and they are charged (see `limit_settle`). */
export const UPSERT_CLOSED_LIMITED = `
  WITH settled AS MATERIALIZED (SELECT * FROM limit_settle($1::json))
  INSERT INTO usage_calls (${namesOf(CLOSED_COLUMNS)}, limited_by, reserved_nanodollars, admitted_at, uncharged_nanodollars)
  SELECT ${namesOf(CLOSED_COLUMNS).replace('cost_nanodollars', 'coalesce(settled.charged[place], cost_nanodollars)')},
    limited_by, CASE WHEN limited_by IS NULL THEN 0 ELSE settled.reserved[place] END, settled.admitted_at[place],
    nullif(cost_nanodollars - settled.charged[place], 0)
  FROM settled CROSS JOIN ${placedRows({ ...CLOSED_COLUMNS, ...LIMITED_COLUMNS }, ['reserved_nanodollars'])}
  ${onConflict(`${namedAsExcluded(END_COLUMNS)},
    uncharged_nanodollars = excluded.uncharged_nanodollars,
    reserved_nanodollars = coalesce(excluded.reserved_nanodollars, usage_calls.reserved_nanodollars),
    admitted_at = coalesce(excluded.admitted_at, usage_calls.admitted_at)`)}`;

/** Takes back rows of calls that were refused after all, and what they held; takes their ids as a JSON array. */
export const DELETE_OPEN = 'SELECT limit_take_back($1::json)';

function insertOf(columns: Record<string, string>): string {
  const names = namesOf(columns);
  return `INSERT INTO usage_calls (${names}) SELECT ${names} FROM json_to_recordset($1::json) AS row (${typesOf(columns)})`;
}

/** The rows, each with its place from 1. `unread`: columns that are of no use here. */
function placedRows(columns: Record<string, string>, unread: readonly string[] = []): string {
  const read = Object.fromEntries(Object.entries(columns).filter(([name]) => !unread.includes(name)));
  return `ROWS FROM (json_to_recordset($1::json) AS (${typesOf(read)})) WITH ORDINALITY AS row (${namesOf(read)}, place)`;
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
