-- Brings locked balances to the present whose day or month lies in the future, or which have been in the present day or
-- month before (the clock stepped back and returned): sums up what calls of the present day and month have cost and
-- reserved, from their rows.
CREATE OR REPLACE FUNCTION limit_present(ids uuid[], instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (instant AT TIME ZONE 'UTC')::date;
  this_month date := date_trunc('month', today::timestamp)::date;
  one uuid;
BEGIN
  FOR one IN SELECT b.id FROM limit_balances AS b WHERE b.id = ANY(ids) AND (b.day > today OR b.month > this_month
    OR b.day < today AND b.furthest_day >= today OR b.month < this_month AND b.furthest_day >= this_month)
  LOOP
    UPDATE limit_balances AS b SET
      furthest_day = greatest(b.furthest_day, b.day), day = today, month = this_month, base_day = s.base_day, base_month = s.base_month,
      spent_day = s.base_day + s.charged_day, spent_month = s.base_month + s.charged_month,
      reserved_day = s.held_day, reserved_month = s.held_month
    FROM (
      SELECT
        coalesce(sum(cost) FILTER (WHERE is_closed AND NOT is_limited AND day = today), 0) AS base_day,
        coalesce(sum(cost) FILTER (WHERE is_closed AND NOT is_limited AND month = this_month), 0) AS base_month,
        coalesce(sum(cost) FILTER (WHERE is_closed AND is_limited AND day = today), 0) AS charged_day,
        coalesce(sum(cost) FILTER (WHERE is_closed AND is_limited AND month = this_month), 0) AS charged_month,
        coalesce(sum(held) FILTER (WHERE NOT is_closed AND is_limited AND day = today), 0) AS held_day,
        coalesce(sum(held) FILTER (WHERE NOT is_closed AND is_limited AND month = this_month), 0) AS held_month
      FROM (
        SELECT c.*, (c.at AT TIME ZONE 'UTC')::date AS day, date_trunc('month', c.at AT TIME ZONE 'UTC')::date AS month
        FROM (
          SELECT u.cost_nanodollars AS cost, u.reserved_nanodollars AS held, u.status <> 'open' AS is_closed,
            coalesce(one = ANY(u.limited_by), false) AS is_limited,
            CASE WHEN one = ANY(u.limited_by) THEN u.admitted_at ELSE u.started_at END AS at
          FROM usage_calls AS u
          WHERE u.started_at >= date_trunc('month', instant, 'UTC') - interval '1 day'
            AND (one = ANY(u.limited_by) OR u.user_id = one OR u.key_id = one)
        ) AS c
      ) AS call
    ) AS s
    WHERE b.id = one;
  END LOOP;
END $$;
