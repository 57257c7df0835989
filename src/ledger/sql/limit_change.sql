-- Ends calls: returns what they reserved of their balances, which are locked, and charges them. A day or month that is over
-- is left as it is. Each call has one place in the arrays; its balances are the text of an array. `places`: the number of
-- concurrent requests that each call returns.
CREATE OR REPLACE FUNCTION limit_change(
  limited_by text[], admitted_at timestamptz[], reserved bigint[], charged bigint[], tokens float8[], places int
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE limit_balances AS b SET
    at = limit_now(b.at),
    requests_used = greatest(0, b.requests_used - coalesce(passed * b.requests_per_minute / 60, 0)),
    tokens_used = greatest(0, b.tokens_used - coalesce(passed * b.tokens_per_minute / 60, 0))
      + CASE WHEN b.tokens_per_minute IS NULL THEN 0 ELSE sums.tokens END,
    running = b.running - sums.places,
    spent_day = b.spent_day + coalesce(sums.charged_day, 0),
    reserved_day = b.reserved_day - coalesce(sums.reserved_day, 0),
    spent_month = b.spent_month + coalesce(sums.charged_month, 0),
    reserved_month = b.reserved_month - coalesce(sums.reserved_month, 0),
    spent_total = b.spent_total + sums.charged,
    reserved_total = b.reserved_total - sums.reserved
  FROM (
    SELECT x.id, greatest(0, extract(epoch FROM clock_timestamp() - min(x.at)))::float8 AS passed,
      sum(c.tokens) AS tokens, count(*)::int * limit_change.places AS places,
      sum(c.charged) AS charged, sum(c.reserved) AS reserved,
      sum(c.charged) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS charged_day,
      sum(c.reserved) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS reserved_day,
      sum(c.charged) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS charged_month,
      sum(c.reserved) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS reserved_month
    FROM unnest(limit_change.limited_by, limit_change.admitted_at, limit_change.reserved, limit_change.charged,
      limit_change.tokens) AS c (limited_by, admitted_at, reserved, charged, tokens)
    CROSS JOIN unnest(c.limited_by::uuid[]) AS i (id) JOIN limit_balances AS x ON x.id = i.id
    GROUP BY x.id
  ) AS sums
  WHERE b.id = sums.id;
END $$;
