/**
 * Claims a key for a new call, if the key is unused, expired, or held by a process that is gone (its advisory lock is
 * free). Returns no row if the key is in use.
 */
export const CLAIM = `INSERT INTO idempotent_calls AS held
    (key_id, key_hash, request_hash, call_id, instance_id, status, expires_at)
  VALUES ($1, $2, $3, $4, $5, 'running', now() + $6 * interval '1 ms')
  ON CONFLICT (key_id, key_hash) DO UPDATE SET request_hash = excluded.request_hash, call_id = excluded.call_id,
    instance_id = excluded.instance_id, status = 'running', answer = NULL, expires_at = excluded.expires_at
  WHERE CASE WHEN held.status <> 'running' THEN held.expires_at <= now()
    ELSE held.instance_id <> excluded.instance_id AND pg_try_advisory_xact_lock(held.instance_id) END
  RETURNING 1`;

export const FIND = `SELECT request_hash AS "requestHash", status, answer
  FROM idempotent_calls WHERE key_id = $1 AND key_hash = $2`;

export const KEEP = `UPDATE idempotent_calls SET status = $4, answer = $5, expires_at = now() + $6 * interval '1 ms'
  WHERE key_id = $1 AND key_hash = $2 AND call_id = $3`;

export const RELEASE = `DELETE FROM idempotent_calls
  WHERE key_id = $1 AND key_hash = $2 AND call_id = $3 AND status = 'running'`;

export const DROP_OLD = `DELETE FROM idempotent_calls WHERE status <> 'running' AND expires_at <= now()`;
