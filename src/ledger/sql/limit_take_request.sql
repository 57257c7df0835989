-- Takes one request, and nothing else, of each balance that has a rate: for an answer that is given again. All or none. The
-- arrays have one place for each balance; null: no limit. `remaining`: see limit_open.
CREATE OR REPLACE FUNCTION limit_take_request(
  ids uuid[], kinds text[], requests bigint[], tokens bigint[], OUT refusal limit_refusal, OUT remaining json
) LANGUAGE plpgsql AS $$
DECLARE
  instant timestamptz;
  one record;
  wait float8;
BEGIN
  INSERT INTO limit_balances (id, kind, at)
  SELECT d.id, d.kind, clock_timestamp() FROM unnest(ids, kinds) AS d (id, kind) ORDER BY d.id
  ON CONFLICT DO NOTHING;
  instant := limit_lock(ids);
  FOR one IN
    SELECT d.id, d.requests AS most, d.requests - limit_settled(b.requests_used, l.passed, b.requests_per_minute, d.requests)
      AS requests_left
    FROM unnest(ids, requests) AS d (id, requests) JOIN limit_balances AS b ON b.id = d.id
    CROSS JOIN LATERAL (SELECT greatest(0, date_part('epoch', instant - b.at)) AS passed) AS l
    WHERE d.requests IS NOT NULL
  LOOP
    wait := (1 - one.requests_left) * 60 / one.most;
    IF one.requests_left + 1e-6 < 1 AND (refusal.name IS NULL OR wait > refusal.seconds) THEN
      refusal := ('requests_per_minute', one.id, 1, wait, NULL, true);
    END IF;
  END LOOP;
  IF refusal.name IS NULL THEN
    UPDATE limit_balances AS b SET
      at = instant,
      requests_used = limit_settled(b.requests_used, l.passed, b.requests_per_minute, d.requests) + 1,
      requests_per_minute = d.requests,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - l.passed * b.tokens_per_minute / 60) END
    FROM unnest(ids, requests) AS d (id, requests) JOIN limit_balances AS x ON x.id = d.id
    CROSS JOIN LATERAL (SELECT greatest(0, date_part('epoch', instant - x.at)) AS passed) AS l
    WHERE b.id = d.id AND d.requests IS NOT NULL;
  END IF;
  SELECT json_object_agg(d.id, json_build_object(
    'requests', d.requests - limit_settled(b.requests_used, l.passed, b.requests_per_minute, d.requests),
    'tokens', d.tokens - limit_settled(b.tokens_used, l.passed, b.tokens_per_minute, d.tokens)))
  INTO remaining FROM unnest(ids, requests, tokens) AS d (id, requests, tokens) JOIN limit_balances AS b ON b.id = d.id
  CROSS JOIN LATERAL (SELECT greatest(0, date_part('epoch', instant - b.at)) AS passed) AS l;
END $$;
