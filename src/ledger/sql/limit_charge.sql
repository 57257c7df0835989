-- Ends calls whose rows were open until now: returns what they reserved of their balances, which are locked, and charges
-- them. A day or month that is over is forgotten; one that lies in the future is left to the next admission, which sums up
-- the present. The arrays have one place for each group of calls with the same balances (the text of an array) and the same
-- day of admission. `instant`: what limit_lock returned.
CREATE OR REPLACE FUNCTION limit_charge(
  instant timestamptz, balances text[], admitted date[], calls int[], held bigint[], costs bigint[], tokens float8[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (instant AT TIME ZONE 'UTC')::date;
  this_month date := date_trunc('month', today::timestamp)::date;
BEGIN
  UPDATE limit_balances AS b SET
    at = instant,
    requests_used = CASE WHEN b.requests_per_minute IS NULL THEN b.requests_used
      ELSE greatest(0, b.requests_used - greatest(0, date_part('epoch', instant - b.at)) * b.requests_per_minute / 60) END,
    tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
      ELSE greatest(0, b.tokens_used - greatest(0, date_part('epoch', instant - b.at)) * b.tokens_per_minute / 60)
        + s.tokens END,
    running = b.running - s.calls,
    day = greatest(b.day, today),
    spent_day = CASE WHEN b.day > today THEN b.spent_day WHEN b.day = today THEN b.spent_day + s.cost_today
      ELSE s.cost_today END,
    reserved_day = CASE WHEN b.day > today THEN b.reserved_day WHEN b.day = today THEN b.reserved_day - s.held_today
      ELSE -s.held_today END,
    base_day = CASE WHEN b.day >= today THEN b.base_day ELSE 0 END,
    month = greatest(b.month, this_month),
    spent_month = CASE WHEN b.month > this_month THEN b.spent_month
      WHEN b.month = this_month THEN b.spent_month + s.cost_this_month
      ELSE s.cost_this_month END,
    reserved_month = CASE WHEN b.month > this_month THEN b.reserved_month
      WHEN b.month = this_month THEN b.reserved_month - s.held_this_month
      ELSE -s.held_this_month END,
    base_month = CASE WHEN b.month >= this_month THEN b.base_month ELSE 0 END,
    spent_total = b.spent_total + s.cost,
    reserved_total = b.reserved_total - s.held
  FROM (
    SELECT i.id, sum(c.calls)::int AS calls, sum(c.tokens) AS tokens, sum(c.cost)::bigint AS cost,
      sum(c.held)::bigint AS held,
      sum(CASE WHEN c.admitted = today THEN c.cost ELSE 0 END)::bigint AS cost_today,
      sum(CASE WHEN c.admitted = today THEN c.held ELSE 0 END)::bigint AS held_today,
      sum(CASE WHEN date_trunc('month', c.admitted::timestamp) = this_month THEN c.cost ELSE 0 END)::bigint
        AS cost_this_month,
      sum(CASE WHEN date_trunc('month', c.admitted::timestamp) = this_month THEN c.held ELSE 0 END)::bigint
        AS held_this_month
    FROM unnest(limit_charge.balances, limit_charge.admitted, limit_charge.calls, limit_charge.held, limit_charge.costs,
      limit_charge.tokens) AS c (balances, admitted, calls, held, cost, tokens)
    CROSS JOIN unnest(c.balances::uuid[]) AS i (id)
    GROUP BY i.id
  ) AS s
  WHERE b.id = s.id;
END $$;
