-- Decides about the calls of a batch one by one, in order. A call has its place in the statement, the places of its balances
-- in `demands`, its estimated tokens, the prices of its prompt and of an output token in nano-dollars per million, its full
-- cost (null: no budget), its limit of output tokens, and whether the caller set that. limit_open has taken all that was
-- needed; what calls do not need is returned: the refused, those opened before, and those that got less. A refusal names the
-- limit with the longest wait; a budget has the longest.
CREATE OR REPLACE FUNCTION limit_open_ordered(
  demands limit_demand[], calls limit_call[], size int, again boolean, OUT refusals limit_refusal[],
  OUT reserved bigint[], OUT ceilings bigint[], OUT remaining json
) LANGUAGE plpgsql AS $$
DECLARE
  requests_left float8[];
  tokens_left float8[];
  places_left bigint[];
  day_left bigint[];
  month_left bigint[];
  total_left bigint[];
  day_unspent bigint[];
  month_unspent bigint[];
  total_unspent bigint[];
  taken int[];
  tokens_taken bigint[];
  money_taken bigint[];
  stored text[];
  refusal limit_refusal;
  one record;
  i int;
  room bigint;
  need bigint;
  ceiling bigint;
  wait float8;
  free bigint[];
  unspent bigint[];
BEGIN
  SELECT array_agg(d.requests_per_minute - b.requests_used + d.calls ORDER BY d.place),
    array_agg(d.tokens_per_minute - b.tokens_used + d.tokens ORDER BY d.place),
    array_agg(d.concurrent_calls - b.running + d.calls ORDER BY d.place),
    array_agg(d.budget_day - b.spent_day - b.reserved_day + d.nanodollars ORDER BY d.place),
    array_agg(d.budget_month - b.spent_month - b.reserved_month + d.nanodollars ORDER BY d.place),
    array_agg(d.budget_total - b.spent_total - b.reserved_total + d.nanodollars ORDER BY d.place),
    array_agg(d.budget_day - b.spent_day ORDER BY d.place), array_agg(d.budget_month - b.spent_month ORDER BY d.place),
    array_agg(d.budget_total - b.spent_total ORDER BY d.place)
  INTO requests_left, tokens_left, places_left, day_left, month_left, total_left, day_unspent, month_unspent, total_unspent
  FROM unnest(demands) WITH ORDINALITY AS d (
      id, kind, requests_per_minute, tokens_per_minute, concurrent_calls, budget_day, budget_month, budget_total, calls, tokens,
      nanodollars, must_remain, place
    )
  JOIN limit_balances AS b ON b.id = d.id;
  taken := array_fill(0, ARRAY[cardinality(demands)]);
  tokens_taken := array_fill(0::bigint, ARRAY[cardinality(demands)]);
  money_taken := tokens_taken;
  refusals := array_fill(NULL::limit_refusal, ARRAY[size]);
  reserved := array_fill(NULL::bigint, ARRAY[size]);
  ceilings := reserved;
  IF again THEN
    SELECT array_agg(c.id) INTO stored FROM unnest(calls) AS c
    WHERE EXISTS (SELECT FROM usage_calls AS u WHERE u.id = c.id AND u.started_at = c.started_at);
  END IF;

  FOR one IN SELECT * FROM unnest(calls) LOOP
    need := one.nanodollars;
    ceiling := NULL;
    IF one.id = ANY (stored) THEN
      SELECT u.reserved_nanodollars INTO need FROM usage_calls AS u WHERE u.id = one.id AND u.started_at = one.started_at;
      IF need < one.nanodollars THEN
        ceiling := floor((need * 1000000.0 - one.prompt_price) / one.token_price);
      END IF;
      reserved[one.place] := need;
      ceilings[one.place] := ceiling;
      CONTINUE;
    END IF;
    room := NULL;
    refusal := NULL;
    FOREACH i IN ARRAY one.balances LOOP
      room := least(room, day_left[i] - money_taken[i], month_left[i] - money_taken[i], total_left[i] - money_taken[i]);
      IF requests_left[i] - taken[i] + 1e-6 < 1 THEN
        wait := (1 - requests_left[i] + taken[i]) * 60 / demands[i].requests_per_minute;
        IF refusal.name IS NULL OR wait > refusal.seconds THEN
          refusal := ('requests_per_minute', demands[i].id, 1, wait, NULL, true);
        END IF;
      END IF;
      IF tokens_left[i] - tokens_taken[i] + 1e-6 < one.tokens THEN
        wait := (one.tokens - tokens_left[i] + tokens_taken[i]) * 60 / demands[i].tokens_per_minute;
        IF refusal.name IS NULL OR wait > refusal.seconds THEN
          refusal := ('tokens_per_minute', demands[i].id, one.tokens, wait, NULL, true);
        END IF;
      END IF;
      IF places_left[i] - taken[i] < 1 AND (refusal.name IS NULL OR refusal.seconds < 1) THEN
        refusal := ('concurrent_calls', demands[i].id, 1, 1, NULL, false);
      END IF;
    END LOOP;
    IF need > 0 AND room IS NOT NULL AND NOT (one.is_own_ceiling AND need <= room) THEN
      IF one.token_price > 0 THEN
        ceiling := greatest(256, floor((room * 1000000.0 - one.prompt_price) / 8 / one.token_price));
      END IF;
      IF ceiling < one.ceiling THEN
        need := ceil((one.prompt_price + ceiling * one.token_price) / 1000000);
      ELSE
        ceiling := NULL;
      END IF;
      IF need > room THEN
        <<name_budget>>
        FOREACH i IN ARRAY one.balances LOOP
          free := ARRAY[day_left[i], month_left[i], total_left[i]];
          unspent := ARRAY[day_unspent[i], month_unspent[i], total_unspent[i]];
          FOR period IN 1..3 LOOP
            IF free[period] - money_taken[i] < need THEN
              refusal := ((ARRAY['budget_day', 'budget_month', 'budget_total'])[period], demands[i].id, need, NULL,
                free[period] - money_taken[i], unspent[period] < need);
              EXIT name_budget;
            END IF;
          END LOOP;
        END LOOP;
      END IF;
    END IF;
    reserved[one.place] := need;
    ceilings[one.place] := ceiling;
    IF refusal.name IS NOT NULL THEN
      refusals[one.place] := refusal;
      CONTINUE;
    END IF;
    FOREACH i IN ARRAY one.balances LOOP
      taken[i] := taken[i] + 1;
      tokens_taken[i] := tokens_taken[i] + one.tokens;
      money_taken[i] := money_taken[i] + coalesce(need, 0);
    END LOOP;
  END LOOP;

  WITH corrected AS (
    UPDATE limit_balances AS b SET
      requests_used = CASE WHEN d.requests_per_minute IS NULL THEN 0
        ELSE b.requests_used - d.calls + taken[d.place] END,
      tokens_used = CASE WHEN d.tokens_per_minute IS NULL THEN 0
        ELSE b.tokens_used - d.tokens + tokens_taken[d.place] END,
      running = b.running - (d.calls - taken[d.place]),
      reserved_day = b.reserved_day - d.nanodollars + money_taken[d.place],
      reserved_month = b.reserved_month - d.nanodollars + money_taken[d.place],
      reserved_total = b.reserved_total - d.nanodollars + money_taken[d.place]
    FROM unnest(demands) WITH ORDINALITY AS d (
      id, kind, requests_per_minute, tokens_per_minute, concurrent_calls, budget_day, budget_month, budget_total, calls, tokens,
      nanodollars, must_remain, place
    )
    WHERE b.id = d.id
    RETURNING b.id, d.requests_per_minute - b.requests_used AS requests, d.tokens_per_minute - b.tokens_used AS tokens
  )
  SELECT json_object_agg(c.id, json_build_object('requests', c.requests, 'tokens', c.tokens)) INTO remaining
  FROM corrected AS c;
END $$;
