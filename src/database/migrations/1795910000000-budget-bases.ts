import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';

/**
 * What was spent before a budget held (its base) is computed beside the calls, not in the statement that opens them:
 * that statement and `limit_expect` only mark the balance, and a gateway computes the base from the roll-ups.
 */
export class BudgetBases1795910000000 implements MigrationInterface {
  readonly name = 'BudgetBases1795910000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE limit_balances ADD IF NOT EXISTS base_wanted int NOT NULL DEFAULT 0');
    await createIndexConcurrently(runner, {
      table: 'limit_balances',
      name: 'limit_balances_wanted',
      definition: '(id) WHERE base_wanted > 0',
    });
    for (const definition of [OPEN, EXPECT]) await runner.query(definition);
    await runner.query('DROP FUNCTION IF EXISTS limit_admit(json, json, int, boolean)');
    await runner.query('DROP FUNCTION IF EXISTS limit_recount(uuid, timestamptz, boolean)');
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone: restore a backup from before the upgrade.');
  }
}

const ASKED = `json_to_recordset(asked) AS (
  id uuid, kind text, r float8, t float8, c float8, d bigint, m bigint, x bigint, n float8, e float8, w bigint, f bigint
)`;
const ASKED_COLUMNS = 'id, kind, r, t, c, d, m, x, n, e, w, f';

/** Seconds since a balance was as it says; none while it lies in the future. */
const PASSED = "greatest(0, date_part('epoch', limit_open.at - b.at))";

/**
 * Decides about a batch of calls. `asked`: each balance once, with the limits that hold (r, t, c, and d, m, x in
 * nano-dollars; null is none) and what all its calls of the batch would take (calls n, tokens e, money w, and room f: eight
 * times the dearest full answer without a ceiling of its own). That is taken; if everything fits, that was all. Otherwise
 * `calls` are decided one by one, and what was taken too much is given back. `size`: places in the statement; `again`: it
 * may have been done before; `is_new`: the process has not seen one of the balances yet. The answer's `states` are what
 * was left before. A budget that newly holds only marks its balance: no call waits for a sum over the ledger.
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
 * Marks the balance of a user or key whose budget has just been set, so that its base is computed before the first call.
 * Never waits for a row that is locked: the first call marks it, too.
 */
const EXPECT = `
  CREATE OR REPLACE FUNCTION limit_expect(one uuid, of_kind text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    instant timestamptz := clock_timestamp();
    today date := (instant AT TIME ZONE 'UTC')::date;
  BEGIN
    INSERT INTO limit_balances (id, kind, at, day, month, base_wanted)
    VALUES (one, of_kind, instant, today, date_trunc('month', today::timestamp)::date, 3)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN;
    END IF;
    PERFORM FROM limit_balances WHERE id = one FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      PERFORM limit_roll(ARRAY[one], instant);
      UPDATE limit_balances SET base_wanted = (base_wanted | 3) + 4 WHERE id = one;
    END IF;
  END $$`;
