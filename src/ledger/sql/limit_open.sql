-- Decides about a batch of calls, and takes what they need of their balances.
--   demands    each balance once: its limits (null: no limit), and what all calls of the batch need of it. `must_remain` of a
--              budget after that: eight times the most expensive full answer of calls that set no limit of output tokens
--   calls      the calls, see limit_open_ordered
--   size       the number of calls in the statement
--   again      the statement may have run before
--   is_new     the process has not used one of the balances yet
--   refusals   by call: the limit that refused it; null: it is admitted
--   remaining  by balance: the requests and tokens that are left after the statement
-- It takes all that is needed. If that fits, it is done; otherwise limit_open_ordered decides call by call and returns what
-- was taken too much. A new budget only marks its balance: no call waits for a sum over the ledger.
CREATE OR REPLACE FUNCTION limit_open(
  demands limit_demand[], calls limit_call[], size int, again boolean, is_new boolean, OUT at timestamptz,
  OUT refusals limit_refusal[], OUT reserved bigint[], OUT ceilings bigint[], OUT remaining json
) LANGUAGE plpgsql AS $$
DECLARE
  today date;
  this_month date;
  last_day date;
  was_ahead boolean;
  caps_differ boolean;
  fits boolean;
BEGIN
  IF is_new THEN
    INSERT INTO limit_balances (id, kind, at)
    SELECT d.id, d.kind, clock_timestamp() FROM unnest(demands) AS d ORDER BY d.id
    ON CONFLICT DO NOTHING;
  END IF;

  SELECT limit_now(max(l.at)), max(l.day), bool_or(l.was_ahead), bool_or(l.caps_differ)
  INTO at, last_day, was_ahead, caps_differ FROM (
    SELECT b.at, greatest(b.day, b.month) AS day, b.furthest_day > b.day AS was_ahead,
      (d.budget_day, d.budget_month, d.budget_total) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
    FROM unnest(demands) AS d JOIN limit_balances AS b ON b.id = d.id
    ORDER BY b.id FOR UPDATE OF b
  ) AS l;
  -- At least a millisecond before the end of its day.
  at := greatest(at, date_trunc('day', at + interval '1 ms', 'UTC'));
  today := (at AT TIME ZONE 'UTC')::date;
  this_month := date_trunc('month', today::timestamp)::date;
  IF last_day > today OR was_ahead THEN
    PERFORM limit_present(ARRAY(SELECT d.id FROM unnest(demands) AS d), at);
  END IF;

  IF caps_differ THEN
    UPDATE limit_balances AS b SET base_wanted = (b.base_wanted
      | CASE WHEN d.budget_day IS NOT NULL AND b.cap_day IS NULL OR d.budget_month IS NOT NULL AND b.cap_month IS NULL
        THEN 1 ELSE 0 END
      | CASE WHEN d.budget_total IS NOT NULL AND b.cap_total IS NULL THEN 2 ELSE 0 END) + 4
    FROM unnest(demands) AS d
    WHERE b.id = d.id AND (d.budget_day IS NOT NULL AND b.cap_day IS NULL
      OR d.budget_month IS NOT NULL AND b.cap_month IS NULL OR d.budget_total IS NOT NULL AND b.cap_total IS NULL);
    INSERT INTO limit_caps (id, since, cap_day, cap_month, cap_total)
    SELECT d.id, limit_open.at, d.budget_day, d.budget_month, d.budget_total
    FROM unnest(demands) AS d JOIN limit_balances AS b ON b.id = d.id
    WHERE (d.budget_day, d.budget_month, d.budget_total) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total)
    ON CONFLICT DO NOTHING;
  END IF;

  WITH taken AS (
    UPDATE limit_balances AS b SET
      at = limit_open.at + size * interval '1 microsecond',
      requests_per_minute = d.requests_per_minute,
      requests_used = CASE WHEN d.requests_per_minute IS NULL THEN 0
        ELSE d.calls + limit_settled(b.requests_used, greatest(0, date_part('epoch', limit_open.at - b.at)),
          b.requests_per_minute, d.requests_per_minute) END,
      tokens_per_minute = d.tokens_per_minute,
      tokens_used = CASE WHEN d.tokens_per_minute IS NULL THEN 0
        ELSE d.tokens + limit_settled(b.tokens_used, greatest(0, date_part('epoch', limit_open.at - b.at)),
          b.tokens_per_minute, d.tokens_per_minute) END,
      running = b.running + d.calls,
      day = today, cap_day = d.budget_day,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END + d.nanodollars,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month, cap_month = d.budget_month,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END + d.nanodollars,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      cap_total = d.budget_total,
      reserved_total = b.reserved_total + d.nanodollars
    FROM unnest(demands) AS d
    WHERE b.id = d.id
    RETURNING b.id, d.nanodollars, d.must_remain, d.requests_per_minute - b.requests_used AS requests,
      d.tokens_per_minute - b.tokens_used AS tokens, d.concurrent_calls - b.running AS places,
      least(d.budget_day - b.spent_day - b.reserved_day, d.budget_month - b.spent_month - b.reserved_month,
        d.budget_total - b.spent_total - b.reserved_total) AS money
  )
  SELECT bool_and(coalesce(l.requests >= -1e-6, true) AND coalesce(l.tokens >= -1e-6, true)
      AND coalesce(l.places >= 0, true) AND (l.nanodollars = 0 OR coalesce(l.money >= l.must_remain, true))),
    json_object_agg(l.id, json_build_object('requests', l.requests, 'tokens', l.tokens))
  INTO fits, remaining FROM taken AS l;

  IF again OR NOT fits THEN
    SELECT o.refusals, o.reserved, o.ceilings, o.remaining INTO refusals, reserved, ceilings, remaining
    FROM limit_open_ordered(demands, calls, size, again) AS o;
  END IF;
END $$;
