import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The decision about calls that are to begin, where their balances stand. */
export class LimitAdmission1795612000000 implements MigrationInterface {
  readonly name = 'LimitAdmission1795612000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ADMIT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_admit(json, json, int, boolean)');
  }
}

/**
 * Decides about a batch of calls. `asked`: each balance once, with the limits that hold (r, t, c, and d, m, x in
 * nano-dollars; null is none) and what all its calls of the batch would take (calls n, tokens e, money w, and room f: eight
 * times the dearest full answer without a ceiling of its own); `new`: the process has not seen it yet. If everything
 * fits, that was all. Else `calls` are decided one by one, in order: the place in the statement n, its balances b, tokens e,
 * the prompt's price p and that of an output token u in nano-dollars per million, the full cost w (null: no budget), the
 * ceiling k and whether the caller set it. `size`: places in the statement; `again`:
 * it may have been done before.
 */
const ADMIT = `
  CREATE FUNCTION limit_admit(
    asked json, calls json, size int, again boolean, OUT at timestamptz, OUT refused boolean[], OUT reserved bigint[],
    OUT ceilings bigint[], OUT states json
  ) LANGUAGE plpgsql AS $$
  DECLARE
    ids uuid[];
    is_new boolean;
    fits boolean;
    caps_differ boolean;
    unseen uuid;
    wants_total boolean;
    today date;
    this_month date;
    rates float8[];
    token_rates float8[];
    requests_left float8[];
    tokens_left float8[];
    places_left float8[];
    money_left bigint[];
    caps_day bigint[];
    caps_month bigint[];
    caps_total bigint[];
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
    SELECT array_agg(a.id), bool_or(a.new) INTO ids, is_new FROM json_to_recordset(asked) AS a (id uuid, new boolean);
    IF is_new THEN
      INSERT INTO limit_balances (id, kind, at)
      SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
      ON CONFLICT DO NOTHING;
    END IF;
    at := limit_lock(ids);
    today := (at AT TIME ZONE 'UTC')::date;
    this_month := date_trunc('month', at AT TIME ZONE 'UTC')::date;

    FOR unseen, wants_total IN
      SELECT b.id, a.x IS NOT NULL FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint)
      JOIN limit_balances AS b ON b.id = a.id
      WHERE a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL
        OR a.x IS NOT NULL AND b.cap_total IS NULL
    LOOP
      PERFORM limit_recount(unseen, at, wants_total);
    END LOOP;

    SELECT bool_and(
        coalesce(s.n <= s.requests_left + 1e-6, true) AND coalesce(s.e <= s.tokens_left + 1e-6, true)
        AND coalesce(s.n <= s.places_left, true) AND (s.w = 0 OR coalesce(s.w + s.f <= s.money_left, true))),
      bool_or(s.caps_differ), array_agg(s.id), array_agg(s.r), array_agg(s.t), array_agg(s.requests_left),
      array_agg(s.tokens_left), array_agg(s.places_left), array_agg(s.money_left), array_agg(s.d), array_agg(s.m),
      array_agg(s.x), array_agg(s.n), array_agg(s.e), array_agg(s.w),
      json_agg(json_build_array(s.requests_left, s.tokens_left, s.places_left, s.day_left, s.month_left, s.total_left,
        s.d - s.day_spent, s.m - s.month_spent, s.x - s.spent_total))
    INTO fits, caps_differ, ids, rates, token_rates, requests_left, tokens_left, places_left, money_left, caps_day,
      caps_month, caps_total, taken, tokens_taken, money_taken, states
    FROM (
      SELECT l.*, least(l.day_left, l.month_left, l.total_left) AS money_left FROM (
        SELECT a.*, v.*, b.spent_total,
          a.r - greatest(0, b.requests_used - v.passed * a.r / 60) AS requests_left,
          a.t - greatest(0, b.tokens_used - v.passed * a.t / 60) AS tokens_left,
          a.c - b.running AS places_left,
          a.d - v.day_spent - CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END AS day_left,
          a.m - v.month_spent - CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END AS month_left,
          a.x - b.spent_total - b.reserved_total AS total_left,
          (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
        FROM ROWS FROM (json_to_recordset(asked) AS (
          id uuid, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
        )) WITH ORDINALITY AS a (id, r, t, c, d, m, x, n, e, w, f, place)
        JOIN limit_balances AS b ON b.id = a.id
        CROSS JOIN LATERAL (
          SELECT extract(epoch FROM limit_admit.at - b.at)::float8 AS passed,
            CASE WHEN b.day = today THEN b.spent_day ELSE 0 END AS day_spent,
            CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END AS month_spent OFFSET 0
        ) AS v
      ) AS l
      ORDER BY l.place
    ) AS s;

    IF caps_differ THEN
      INSERT INTO limit_caps (id, since, cap_day, cap_month, cap_total)
      SELECT a.id, limit_admit.at, a.d, a.m, a.x
      FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
      WHERE (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total)
      ON CONFLICT DO NOTHING;
    END IF;

    IF again OR NOT fits THEN
      taken := array_fill(0::float8, ARRAY[cardinality(ids)]);
      tokens_taken := taken;
      money_taken := array_fill(0::bigint, ARRAY[cardinality(ids)]);
      refused := array_fill(false, ARRAY[size]);
      reserved := array_fill(NULL::bigint, ARRAY[size]);
      ceilings := reserved;
      IF again THEN
        SELECT array_agg(c.id) INTO stored FROM json_to_recordset(calls) AS c (id text, s timestamptz)
        WHERE EXISTS (SELECT FROM usage_calls AS u WHERE u.id = c.id AND u.started_at = c.s);
      END IF;
      FOR one IN
        SELECT * FROM json_to_recordset(calls) AS c (
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
    END IF;

    UPDATE limit_balances AS b SET
      at = limit_admit.at + size * interval '1 microsecond',
      requests_per_minute = a.r,
      requests_used = coalesce(a.r - a.requests_left + a.taken, 0),
      tokens_per_minute = a.t,
      tokens_used = coalesce(a.t - a.tokens_left + a.tokens_taken, 0),
      running = b.running + a.taken::int,
      day = today, cap_day = a.d,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END + a.money_taken,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month, cap_month = a.m,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END + a.money_taken,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      cap_total = a.x,
      reserved_total = b.reserved_total + a.money_taken
    FROM unnest(ids, rates, token_rates, requests_left, tokens_left, caps_day, caps_month, caps_total, taken, tokens_taken,
      money_taken) AS a (id, r, t, requests_left, tokens_left, d, m, x, taken, tokens_taken, money_taken)
    WHERE b.id = a.id;
  END $$`;
