/** Balances whose base is missing. $1: only ids above this one; $2: the limit. */
export const WANTED =
  'SELECT id, kind FROM limit_balances WHERE base_wanted > 0 AND id > $1::uuid ORDER BY id LIMIT $2';

export interface WantedBalance {
  readonly id: string;
  readonly kind: string;
}

/**
 * The users whose calls count in each balance. $1: ids of balances of users or projects. All users of a project also
 * count in the balance of the user that represents the project, as they have that user's plan.
 */
export const USERS_OF_BALANCES = `
  SELECT b.id, array_agg(coalesce(m.id, b.id)) AS users FROM unnest($1::uuid[]) AS b (id)
  LEFT JOIN users AS p ON p.kind = 'project' AND (p.id = b.id OR p.project_id = b.id)
  LEFT JOIN users AS m ON m.project_id = p.project_id GROUP BY b.id`;

/** $1: ids. Includes the charges of each balance's own calls in its day, its month and in total. */
export const OWN_CHARGES = `
  SELECT id, base_wanted AS wanted, day::text, month::text,
    extract(epoch FROM day)::float8 * 1000 AS "dayMs", extract(epoch FROM month)::float8 * 1000 AS "monthMs",
    spent_day - base_day AS "ownDay", spent_month - base_month AS "ownMonth", spent_total - base_total AS "ownTotal"
  FROM limit_balances WHERE id = ANY($1::uuid[]) AND base_wanted > 0`;

export interface OwnChargesRow {
  readonly id: string;
  readonly wanted: number;
  readonly day: string;
  readonly month: string;
  readonly dayMs: number;
  readonly monthMs: number;
  readonly ownDay: string;
  readonly ownMonth: string;
  readonly ownTotal: string;
}

/**
 * $1: a balance's id; $2: its mark; $3 and $4: its day and month; $5 to $7: the bases. Does nothing if mark, day or
 * month have changed; then the base is computed again.
 */
export const SET_BASE = `
  UPDATE limit_balances SET base_wanted = 0,
    spent_day = CASE WHEN base_wanted & 1 > 0 THEN spent_day - base_day + $5::bigint ELSE spent_day END,
    base_day = CASE WHEN base_wanted & 1 > 0 THEN $5::bigint ELSE base_day END,
    spent_month = CASE WHEN base_wanted & 1 > 0 THEN spent_month - base_month + $6::bigint ELSE spent_month END,
    base_month = CASE WHEN base_wanted & 1 > 0 THEN $6::bigint ELSE base_month END,
    spent_total = CASE WHEN base_wanted & 2 > 0 THEN spent_total - base_total + $7::bigint ELSE spent_total END,
    base_total = CASE WHEN base_wanted & 2 > 0 THEN $7::bigint ELSE base_total END
  WHERE id = $1 AND base_wanted = $2 AND day = $3::date AND month = $4::date`;
