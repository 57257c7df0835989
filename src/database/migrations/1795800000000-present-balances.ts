import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A balance that lies in the future, since the server's clock ran ahead, counts by the present; and requests can be taken
 * without a call. Functions keep their signatures: gateways of the version before serve on while they are replaced.
 */
export class PresentBalances1795800000000 implements MigrationInterface {
  readonly name = 'PresentBalances1795800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const definition of [NOW, LOCK, SETTLED, PRESENT, OPEN, TAKE_REQUEST]) await runner.query(definition);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone: restore a backup from before the upgrade.');
  }
}

/**
 * The time for what is done with balances of which one was last changed at `latest`: later than that, unless it lies more
 * than five seconds in the future (the clock ran ahead, and was set right).
 */
const NOW = `
  CREATE FUNCTION limit_now(latest timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT CASE WHEN latest > c.now + interval '5 s' THEN c.now ELSE greatest(c.now, latest) END
    FROM (SELECT clock_timestamp() AS now OFFSET 0) AS c
  $$`;

/**
 * What is used of a bucket of `new_rate` a minute when it was `used` some seconds ago, at `old_rate`. The time before a
 * change counts by the old rate, and a changed bucket is never fuller than full: nobody waits for longer than it takes to
 * fill from empty.
 */
const SETTLED = `
  CREATE FUNCTION limit_settled(used float8, seconds float8, old_rate float8, new_rate float8) RETURNS float8
  LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN old_rate = new_rate THEN greatest(0, used - seconds * new_rate / 60)
      ELSE least(new_rate, greatest(0, used - seconds * coalesce(old_rate, new_rate) / 60)) END
  $$`;

/** Locks balances in the order of their ids. Returns the time for what is done with them. */
const LOCK = `
  CREATE OR REPLACE FUNCTION limit_lock(ids uuid[]) RETURNS timestamptz LANGUAGE plpgsql AS $$
  DECLARE
    instant timestamptz;
  BEGIN
    SELECT limit_now(max(b.at)) INTO instant FROM (
      SELECT at FROM limit_balances WHERE id = ANY(ids) ORDER BY id FOR UPDATE
    ) AS b;
    -- With a millisecond to the end of its day.
    RETURN greatest(instant, date_trunc('day', instant + interval '1 ms', 'UTC'));
  END $$`;

/**
 * Balances, which are locked, whose day or month lies in the future return to the present: what calls of the present day
 * and month have cost and hold is counted anew, from their rows.
 */
const PRESENT = `
  CREATE FUNCTION limit_present(ids uuid[], instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    today date := (instant AT TIME ZONE 'UTC')::date;
    this_month date := date_trunc('month', today::timestamp)::date;
    one uuid;
  BEGIN
    FOR one IN SELECT b.id FROM limit_balances AS b WHERE b.id = ANY(ids) AND (b.day > today OR b.month > this_month) LOOP
      UPDATE limit_balances AS b SET
        day = today, month = this_month, base_day = s.base_day, base_month = s.base_month,
        spent_day = s.base_day + s.charged_day, spent_month = s.base_month + s.charged_month,
        reserved_day = s.held_day, reserved_month = s.held_month
      FROM (
        SELECT
          coalesce(sum(cost) FILTER (WHERE is_closed AND NOT is_limited AND day = today), 0) AS base_day,
          coalesce(sum(cost) FILTER (WHERE is_closed AND NOT is_limited AND month = this_month), 0) AS base_month,
          coalesce(sum(cost) FILTER (WHERE is_closed AND is_limited AND day = today), 0) AS charged_day,
          coalesce(sum(cost) FILTER (WHERE is_closed AND is_limited AND month = this_month), 0) AS charged_month,
          coalesce(sum(held) FILTER (WHERE NOT is_closed AND is_limited AND day = today), 0) AS held_day,
          coalesce(sum(held) FILTER (WHERE NOT is_closed AND is_limited AND month = this_month), 0) AS held_month
        FROM (
          SELECT c.*, (c.at AT TIME ZONE 'UTC')::date AS day, date_trunc('month', c.at AT TIME ZONE 'UTC')::date AS month
          FROM (
            SELECT u.cost_nanodollars AS cost, u.reserved_nanodollars AS held, u.status <> 'open' AS is_closed,
              coalesce(one = ANY(u.limited_by), false) AS is_limited,
              CASE WHEN one = ANY(u.limited_by) THEN u.admitted_at ELSE u.started_at END AS at
            FROM usage_calls AS u
            WHERE u.started_at >= date_trunc('month', instant, 'UTC') - interval '1 day'
              AND (one = ANY(u.limited_by) OR u.user_id = one OR u.key_id = one)
          ) AS c
        ) AS call
      ) AS s
      WHERE b.id = one;
    END LOOP;
  END $$`;

const ASKED = `json_to_recordset(asked) AS (
  id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
)`;
const ASKED_COLUMNS = 'id, kind, r, t, c, d, m, x, n, e, w, f';

/** Seconds since a balance was as it says; none while it lies in the future. */
const PASSED = "greatest(0, date_part('epoch', limit_open.at - b.at))";

/**
 * Decides about a batch of calls. `asked`: each balance once, with the limits that hold (r, t, c, and d, m, x in
 * nano-dollars; null is none) and what all its calls of the batch would take (calls n, tokens e, money w, and room f: eight
 * times the dearest full answer without a ceiling of its own). That is taken; if everything fits, that was all. Else
 * `calls` are decided one by one, and what was taken too much is given back. `size`: places in the statement; `again`: it
 * may have been done before; `is_new`: the process has not seen one of the balances yet. The answer's `states` are what
 * was left before.
 */
const OPEN = `
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
    unseen uuid;
    wants_total boolean;
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
    -- With a millisecond to the end of its day.
    at := greatest(at, date_trunc('day', at + interval '1 ms', 'UTC'));
    today := (at AT TIME ZONE 'UTC')::date;
    this_month := date_trunc('month', today::timestamp)::date;
    IF last_day > today THEN
      PERFORM limit_present(ARRAY(SELECT a.id FROM json_to_recordset(asked) AS a (id uuid)), at);
    END IF;

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
          ELSE limit_settled(b.requests_used, ${PASSED}, b.requests_per_minute, a.r) + a.n END,
        tokens_per_minute = a.t,
        tokens_used = CASE WHEN a.t IS NULL THEN 0
          ELSE limit_settled(b.tokens_used, ${PASSED}, b.tokens_per_minute, a.t) + a.e END,
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
 * Takes one request, and nothing else, of each balance that has a rate: for an answer that is given again. `asked` as for
 * `limit_open`, without what calls would take. All or none; the answer's `states` are what was left before.
 */
const TAKE_REQUEST = `
  CREATE FUNCTION limit_take_request(asked json, OUT refused boolean, OUT states json) LANGUAGE plpgsql AS $$
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
  END $$`;
