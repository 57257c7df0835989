import type { DataSource } from 'typeorm';
import type { FirstSuccess } from '../usage.types.js';
import { HOUR_OF_CALL } from './hour-parts.js';

/** Hour by hour, from the ledger's first one on. */
const FIRST_OF_USER = `
  SELECT call.* FROM (
    SELECT date_bin('1 hour', min(started_at), '2000-01-01 00:00:00+00'::timestamptz) AS first, max(started_at) AS last
    FROM usage_calls WHERE status <> 'open'
  ) AS ledger
  CROSS JOIN generate_series(first, last, interval '1 hour') AS hour
  CROSS JOIN LATERAL (
    SELECT started_at AS at, model FROM usage_calls
    WHERE status <> 'open' AND ${HOUR_OF_CALL} = hour AND user_id = $1
      AND started_at >= hour AND started_at < hour + interval '1 hour' AND status = 'settled'
    ORDER BY started_at LIMIT 1
  ) AS call LIMIT 1`;

/** The first call that the user got an answer to; null before it. */
export async function firstSuccessOf(dataSource: DataSource, userId: string): Promise<FirstSuccess | null> {
  const [row]: FirstSuccess[] = await dataSource.query(FIRST_OF_USER, [userId]);
  return row ?? null;
}
