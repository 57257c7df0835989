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

/** Takes rows as a JSON array. */
export const INSERT_OPEN = `${insertOf(OPEN_COLUMNS)} ON CONFLICT DO NOTHING`;

/**
 * The whole row, since the open one may be lost with Postgres itself. It wins over `interrupted`, which another process
 * may have written in the belief that this one was gone; a row that is closed for good stays as it is, but that its
 * answer was not delivered may become known later. For the roll-ups the row knows in which transaction it was closed
 * (the column's default), and in which it was interrupted before.
 */
export const UPSERT_CLOSED = `${insertOf(CLOSED_COLUMNS)}
  ON CONFLICT (id, started_at) DO UPDATE SET ${Object.keys(END_COLUMNS)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')},
    changed_in = CASE WHEN usage_calls.status = 'settled' THEN usage_calls.changed_in ELSE excluded.changed_in END,
    interrupted_in = CASE usage_calls.status
      WHEN 'interrupted' THEN usage_calls.changed_in WHEN 'settled' THEN usage_calls.interrupted_in END
  WHERE usage_calls.status IN ('open', 'interrupted') OR usage_calls.status = 'settled'
    AND usage_calls.error_code IS NULL AND excluded.status = 'settled' AND excluded.error_code IS NOT NULL`;

/** Takes back rows of calls that were refused after all; takes their ids as a JSON array. */
export const DELETE_OPEN = `DELETE FROM usage_calls
  WHERE status = 'open' AND id IN (SELECT json_array_elements_text($1::json))`;

function insertOf(columns: Record<string, string>): string {
  const names = Object.keys(columns).join(', ');
  const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return `INSERT INTO usage_calls (${names}) SELECT ${names} FROM json_to_recordset($1::json) AS row (${types.join(', ')})`;
}
