/** Adds to the counters; $1: their rows as JSON. */
export const COUNT = `
  INSERT INTO refused_calls (hour, key_id, user_id, model, status, code, api, calls)
  SELECT hour, "keyId", "userId", model, status, code, api, calls FROM json_to_recordset($1::json)
    AS row (hour timestamptz, "keyId" uuid, "userId" uuid, model text, status int, code text, api text, calls bigint)
  ORDER BY hour, "keyId", model, status, code, api
  ON CONFLICT (hour, key_id, model, status, code, api) DO UPDATE SET calls = refused_calls.calls + excluded.calls`;

/** Stores refusals; $1: their rows as JSON. */
export const REMEMBER = `
  INSERT INTO recent_errors (at, request_id, key_id, key_display, user_id, model, api, status, code, asked_model, message)
  SELECT at, "requestId", "keyId", "keyDisplay", "userId", model, api, status, code, "askedModel", message
  FROM json_to_recordset($1::json)
    AS row (at timestamptz, "requestId" text, "keyId" uuid, "keyDisplay" text, "userId" uuid, model text, api text, status int,
      code text, "askedModel" text, message text)`;

/** Keeps the newest $2 rows of each of the keys $1. */
export const FORGET_OF_KEYS = `
  DELETE FROM recent_errors WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY key_id ORDER BY id DESC) AS place
      FROM recent_errors WHERE key_id = ANY($1)
    ) AS ranked WHERE place > $2)`;

/** Keeps the newest $1 rows of each unknown key, and the newest $2 of all unknown keys. */
export const FORGET_UNKNOWN = `
  DELETE FROM recent_errors WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY key_display ORDER BY id DESC) AS of_key,
        row_number() OVER (ORDER BY id DESC) AS of_all
      FROM recent_errors WHERE key_id IS NULL
    ) AS ranked WHERE of_key > $1 OR of_all > $2)`;
