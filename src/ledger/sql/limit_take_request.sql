-- Takes one request, and nothing else, of each balance that has a rate: for an answer that is given again. `asked`: as for
-- limit_open, without what calls would take. All or none. `states`: what was left before.
CREATE OR REPLACE FUNCTION limit_take_request(asked json, OUT refused boolean, OUT states json) LANGUAGE plpgsql AS $$
DECLARE
  instant timestamptz;
BEGIN
  INSERT INTO limit_balances (id, kind, at)
  SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
  ON CONFLICT DO NOTHING;
  instant := limit_lock(ARRAY(SELECT a.id FROM json_to_recordset(asked) AS a (id uuid)));
  SELECT bool_or(l.requests < 1 - 1e-6), json_agg(json_build_array(l.requests, l.tokens) ORDER BY l.place)
  INTO refused, states FROM (
    SELECT a.place, a.r - limit_settled(b.requests_used, l.passed, b.requests_per_minute, a.r) AS requests,
      a.t - limit_settled(b.tokens_used, l.passed, b.tokens_per_minute, a.t) AS tokens
    FROM ROWS FROM (json_to_recordset(asked) AS (id uuid, r float8, t float8)) WITH ORDINALITY AS a (id, r, t, place)
    JOIN limit_balances AS b ON b.id = a.id
    CROSS JOIN LATERAL (SELECT greatest(0, date_part('epoch', instant - b.at)) AS passed) AS l
  ) AS l;
  refused := coalesce(refused, false);
  IF NOT refused THEN
    UPDATE limit_balances AS b SET
      at = instant,
      requests_used = limit_settled(b.requests_used, l.passed, b.requests_per_minute, a.r) + 1,
      requests_per_minute = a.r,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - l.passed * b.tokens_per_minute / 60) END
    FROM json_to_recordset(asked) AS a (id uuid, r float8) JOIN limit_balances AS x ON x.id = a.id
    CROSS JOIN LATERAL (SELECT greatest(0, date_part('epoch', instant - x.at)) AS passed) AS l
    WHERE b.id = a.id AND a.r IS NOT NULL;
  END IF;
END $$;
