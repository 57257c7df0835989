import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The decision about calls that are to begin, with two statements for each batch where there were five. What went before
 * (`limit_admit`) stays: gateways of the version before serve on while they are replaced.
 */
export class SwiftLimitAdmission1795660000000 implements MigrationInterface {
  readonly name = 'SwiftLimitAdmission1795660000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(OPEN);
    await runner.query(ORDERED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_open_ordered(json, text, int, boolean, json)');
    await runner.query('DROP FUNCTION limit_open(json, text, int, boolean, boolean)');
  }
}

const ASKED = `json_to_recordset(asked) AS (
  id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
)`;
const ASKED_COLUMNS = 'id, kind, r, t, c, d, m, x, n, e, w, f';

/**
 * Decides about a batch of calls. `asked`: each balance once, with the limits that hold (r, t, c, and d, m, x in
 * nano-dollars; null is none) and what all its calls of the batch would take (calls n, tokens e, money w, and room f: eight
 * times the dearest full answer without a ceiling of its own). That is taken; if everything fits, that was all. Else
 * `calls` are decided one by one, and what was taken too much is given back. `size`: places in the statement; `again`: it
 * may have been done before; `is_new`: the process has not seen one of the balances yet. The answer's `states` are what
 * was left before.
 */
const OPEN = `
  CREATE FUNCTION limit_open(
    asked json, calls text, size int, again boolean, is_new boolean, OUT at timestamptz, OUT refused boolean[],
    OUT reserved bigint[], OUT ceilings bigint[], OUT states json
  ) LANGUAGE plpgsql AS $$
  DECLARE
    today date;
    this_month date;
    caps_differ boolean;
    fits boolean;
    unseen uuid;
    wants_total boolean;
  BEGIN
    IF is_new THEN
      INSERT INTO limit_balances (id, kind, at)
      SELECT a.id, a.kind, clock_timestamp() FROM json_to_recordset(asked) AS a (id uuid, kind text) ORDER BY a.id
      ON CONFLICT DO NOTHING;
    END IF;

    SELECT greatest(clock_timestamp(), max(l.at)), bool_or(l.caps_differ) INTO at, caps_differ FROM (
      SELECT b.at, (a.d, a.m, a.x) IS DISTINCT FROM (b.cap_day, b.cap_month, b.cap_total) AS caps_differ
      FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint) JOIN limit_balances AS b ON b.id = a.id
      ORDER BY b.id FOR UPDATE OF b
    ) AS l;
    -- With a millisecond to the end of its day.
    at := greatest(at, date_trunc('day', at + interval '1 ms', 'UTC'));
    today := (at AT TIME ZONE 'UTC')::date;
    this_month := date_trunc('month', today::timestamp)::date;

    IF caps_differ THEN
      FOR unseen, wants_total IN
        SELECT b.id, a.x IS NOT NULL FROM json_to_recordset(asked) AS a (id uuid, d bigint, m bigint, x bigint)
        JOIN limit_balances AS b ON b.id = a.id
        WHERE a.d IS NOT NULL AND b.cap_day IS NULL OR a.m IS NOT NULL AND b.cap_month IS NULL
          OR a.x IS NOT NULL AND b.cap_total IS NULL
      LOOP
        PERFORM limit_recount(unseen, at, wants_total);
      END LOOP;
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
          ELSE greatest(0, b.requests_used - date_part('epoch', limit_open.at - b.at) * a.r / 60) + a.n END,
        tokens_per_minute = a.t,
        tokens_used = CASE WHEN a.t IS NULL THEN 0
          ELSE greatest(0, b.tokens_used - date_part('epoch', limit_open.at - b.at) * a.t / 60) + a.e END,
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
      FROM ROWS FROM (${ASKED}) WITH ORDINALITY AS a (${ASKED_COLUMNS}, place)
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
  END $$`;

/**
 * Decides about the calls of a batch one by one, in order, with what was left (`states`): the place in the statement n, its
 * balances b, tokens e, the prompt's price p and that of an output token u in nano-dollars per million, the full cost w
 * (null: no budget), the ceiling k and whether the caller set it. All that they asked for was taken; what those who are
 * refused, were opened before or got less do not need is given back.
 */
const ORDERED = `
  CREATE FUNCTION limit_open_ordered(
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
    FROM ROWS FROM (${ASKED}) WITH ORDINALITY AS a (${ASKED_COLUMNS}, place)
    WHERE b.id = a.id;
  END $$`;
