-- Decides about a batch of calls, and takes what they need of their balances.
--   asked    each balance once: its limits (r requests and t tokens a minute, c concurrent requests; d, m and x
--            nano-dollars in the day, the month and in total; null: no limit), and what all calls of the batch ask of it:
--            n calls, e tokens, w nano-dollars, and f, what must remain after that: eight times the dearest full answer of
--            calls that set no limit of output tokens
--   calls    the calls, as limit_open_ordered takes them
--   size     the number of calls in the statement
--   again    the statement may have run before
--   is_new   the process has not used one of the balances yet
--   states   what was left of each balance before
-- It takes all that is asked for. If that fits, it is done; otherwise limit_open_ordered decides call by call and returns
-- what was taken too much. A new budget only marks its balance: no call waits for a sum over the ledger.
CREATE OR REPLACE FUNCTION limit_open(
  asked json, calls text, size int, again boolean, is_new boolean, OUT at timestamptz, OUT refused boolean[],
  OUT reserved bigint[], OUT ceilings bigint[], OUT states json
) LANGUAGE plpgsql AS $$
DECLARE
  today date;
  this_month date;
  last_day date;
  caps_differ boolean;
  fits boolean;
BEGIN
  IF is_new THEN
    INSERT INTO limit_balances (id, kind, at)
    SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
    ON CONFLICT DO NOTHING;
  END IF;

  SELECT limit_now(max(l.at)), max(l.day), bool_or(l.caps_differ) INTO at, last_day, caps_differ FROM (
    SELECT b.at, greatest(b.day, b.month) AS day,
      (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
    FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
    ORDER BY b.id FOR UPDATE OF b
  ) AS l;
  -- At least a millisecond before the end of its day.
  at := greatest(at, date_trunc('day', at + interval '1 ms', 'UTC'));
  today := (at AT TIME ZONE 'UTC')::date;
  this_month := date_trunc('month', today::timestamp)::date;
  IF last_day > today THEN
    PERFORM limit_present(ARRAY(SELECT a.id FROM json_to_recordset(asked) AS a (id uuid)), at);
  END IF;

  IF caps_differ THEN
    UPDATE limit_balances AS b SET base_wanted = (b.base_wanted
      | CASE WHEN a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL THEN 1 ELSE 0 END
      | CASE WHEN a.x IS NOT NULL AND b.cap_total IS NULL THEN 2 ELSE 0 END) + 4
    FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint)
    WHERE b.id = a.id AND (a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL
      OR a.x IS NOT NULL AND b.cap_total IS NULL);
    INSERT INTO limit_caps (id, since, cap_day, cap_month, cap_total)
    SELECT a.id, limit_open.at, a.d, a.m, a.x
    FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
    WHERE (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total)
    ON CONFLICT DO NOTHING;
  END IF;

  WITH taken AS (
    UPDATE limit_balances AS b SET
      at = limit_open.at + size * interval '1 microsecond',
      requests_per_minute = a.r,
      requests_used = CASE WHEN a.r IS NULL THEN 0
        ELSE a.n + limit_settled(
          b.requests_used, greatest(0, date_part('epoch', limit_open.at - b.at)), b.requests_per_minute, a.r) END,
      tokens_per_minute = a.t,
      tokens_used = CASE WHEN a.t IS NULL THEN 0
        ELSE a.e + limit_settled(
          b.tokens_used, greatest(0, date_part('epoch', limit_open.at - b.at)), b.tokens_per_minute, a.t) END,
      running = b.running + a.n::int,
      day = today, cap_day = a.d,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END + a.w,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month, cap_month = a.m,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END + a.w,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      cap_total = a.x,
      reserved_total = b.reserved_total + a.w
    FROM ROWS FROM (json_to_recordset(asked) AS (
      id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
    )) WITH ORDINALITY AS a (id, kind, r, t, c, d, m, x, n, e, w, f, place)
    WHERE b.id = a.id
    RETURNING a.place, a.w, a.f, a.n, a.e, a.r - b.requests_used AS requests, a.t - b.tokens_used AS tokens,
      a.c - b.running AS places, a.d - b.spent_day AS day, a.d - b.spent_day - b.reserved_day AS free_day,
      a.m - b.spent_month AS month, a.m - b.spent_month - b.reserved_month AS free_month,
      a.x - b.spent_total AS total, a.x - b.spent_total - b.reserved_total AS free_total
  )
  SELECT bool_and(coalesce(l.requests >= -1e-6, true) AND coalesce(l.tokens >= -1e-6, true)
      AND coalesce(l.places >= 0, true)
      AND (l.w = 0 OR coalesce(least(l.free_day, l.free_month, l.free_total) >= l.f, true))),
    json_agg(json_build_array(l.requests + l.n, l.tokens + l.e, l.places + l.n, l.free_day + l.w, l.free_month + l.w,
      l.free_total + l.w, l.day, l.month, l.total) ORDER BY l.place)
  INTO fits, states FROM taken AS l;

  IF again OR NOT fits THEN
    SELECT o.refused, o.reserved, o.ceilings INTO refused, reserved, ceilings
    FROM limit_open_ordered(asked, calls, size, again, states) AS o;
  END IF;
END $$;
