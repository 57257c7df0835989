-- Decides about the calls of a batch one by one, in order, with what was left (`states`). A call has its place n in the
-- statement, its balances b, e tokens, the price p of its prompt and u of an output token in nano-dollars per million, its
-- full cost w (null: no budget), its limit k of output tokens, and whether the caller set that (own). limit_open has taken
-- all that was asked for; what calls do not need is returned: the refused, those opened before, and those that got less.
CREATE OR REPLACE FUNCTION limit_open_ordered(
  asked json, calls text, size int, again boolean, states json, OUT refused boolean[], OUT reserved bigint[],
  OUT ceilings bigint[]
) LANGUAGE plpgsql AS $$
DECLARE
  requests_left float8[];
  tokens_left float8[];
  places_left float8[];
  money_left bigint[];
  taken float8[];
  tokens_taken float8[];
  money_taken bigint[];
  stored text[];
  one record;
  i int;
  room bigint;
  need bigint;
  ceiling bigint;
BEGIN
  SELECT array_agg((s ->> 0)::float8 ORDER BY place), array_agg((s ->> 1)::float8 ORDER BY place),
    array_agg((s ->> 2)::float8 ORDER BY place),
    array_agg(least((s ->> 3)::bigint, (s ->> 4)::bigint, (s ->> 5)::bigint) ORDER BY place)
  INTO requests_left, tokens_left, places_left, money_left
  FROM json_array_elements(states) WITH ORDINALITY AS state (s, place);
  taken := array_fill(0::float8, ARRAY[cardinality(requests_left)]);
  tokens_taken := taken;
  money_taken := array_fill(0::bigint, ARRAY[cardinality(requests_left)]);
  refused := array_fill(false, ARRAY[size]);
  reserved := array_fill(NULL::bigint, ARRAY[size]);
  ceilings := reserved;
  IF again THEN
    SELECT array_agg(c.id) INTO stored FROM json_to_recordset(calls::json) AS c (id text, s timestamptz)
    WHERE EXISTS (SELECT FROM usage_calls AS u WHERE u.id = c.id AND u.started_at = c.s);
  END IF;

  FOR one IN
    SELECT * FROM json_to_recordset(calls::json) AS c (
      n int, id text, s timestamptz, b int[], e float8, p numeric, u numeric, w bigint, k bigint, own boolean
    )
  LOOP
    need := one.w;
    ceiling := NULL;
    IF one.id = ANY (stored) THEN
      SELECT u.reserved_nanodollars INTO need FROM usage_calls AS u WHERE u.id = one.id AND u.started_at = one.s;
      IF need < one.w THEN
        ceiling := floor((need * 1000000.0 - one.p) / one.u);
      END IF;
      reserved[one.n] := need;
      ceilings[one.n] := ceiling;
      CONTINUE;
    END IF;
    room := NULL;
    FOREACH i IN ARRAY one.b LOOP
      room := least(room, money_left[i] - money_taken[i]);
      IF requests_left[i] - taken[i] + 1e-6 < 1 OR tokens_left[i] - tokens_taken[i] + 1e-6 < one.e
        OR places_left[i] - taken[i] < 1
      THEN
        refused[one.n] := true;
      END IF;
    END LOOP;
    IF need > 0 AND room IS NOT NULL AND NOT (one.own AND need <= room) THEN
      IF one.u > 0 THEN
        ceiling := greatest(256, floor((room * 1000000.0 - one.p) / 8 / one.u));
      END IF;
      IF ceiling < one.k THEN
        need := ceil((one.p + ceiling * one.u) / 1000000);
      ELSE
        ceiling := NULL;
      END IF;
      IF need > room THEN
        refused[one.n] := true;
      END IF;
    END IF;
    reserved[one.n] := need;
    ceilings[one.n] := ceiling;
    CONTINUE WHEN refused[one.n];
    FOREACH i IN ARRAY one.b LOOP
      taken[i] := taken[i] + 1;
      tokens_taken[i] := tokens_taken[i] + one.e;
      money_taken[i] := money_taken[i] + coalesce(need, 0);
    END LOOP;
  END LOOP;

  UPDATE limit_balances AS b SET
    requests_used = CASE WHEN a.r IS NULL THEN 0 ELSE b.requests_used - a.n + taken[a.place] END,
    tokens_used = CASE WHEN a.t IS NULL THEN 0 ELSE b.tokens_used - a.e + tokens_taken[a.place] END,
    running = b.running - (a.n - taken[a.place])::int,
    reserved_day = b.reserved_day - a.w + money_taken[a.place],
    reserved_month = b.reserved_month - a.w + money_taken[a.place],
    reserved_total = b.reserved_total - a.w + money_taken[a.place]
  FROM ROWS FROM (json_to_recordset(asked) AS (
    id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
  )) WITH ORDINALITY AS a (id, kind, r, t, c, d, m, x, n, e, w, f, place)
  WHERE b.id = a.id;
END $$;
