import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls are charged what was used, also beyond what was reserved. A call whose process died is charged its prompt.
 * Functions keep their signatures: gateways of the version before serve on while they are replaced.
 */
export class ChargedInFull1795801000000 implements MigrationInterface {
  readonly name = 'ChargedInFull1795801000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD prompt_nanodollars bigint, ADD charge jsonb');
    await runner.query(`CREATE TYPE usage_call_opening AS (${OPENING})`);
    await runner.query(`CREATE TYPE usage_call_closing AS (${OPENING}, ${ENDING})`);
    for (const definition of [CHANGE, CHARGE, CHARGE_LATE, INTERRUPT]) await runner.query(definition);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be undone: restore a backup from before the upgrade.');
  }
}

const OPENING = `id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, stream boolean, simulated boolean, estimated_input_tokens bigint, prompt_nanodollars bigint,
  price_version text, limited_by uuid[], reserved_nanodollars bigint`;

const ENDING = `status text, served_model text, upstream text, upstream_model text, finish_reason text, error_code text,
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, token_source text,
  cost_nanodollars bigint, charge jsonb, attempts jsonb, first_token_ms int, total_ms int`;

/**
 * Calls end, and give back what they held of their balances, which are locked; a day or month that is over is left. Each
 * call has its place in the arrays; its balances are the text of an array. All give back so many places.
 */
const CHANGE = `
  CREATE OR REPLACE FUNCTION limit_change(
    limited_by text[], admitted_at timestamptz[], reserved bigint[], charged bigint[], tokens float8[], places int
  ) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE limit_balances AS b SET
      at = limit_now(b.at),
      requests_used = greatest(0, b.requests_used - coalesce(passed * b.requests_per_minute / 60, 0)),
      tokens_used = greatest(0, b.tokens_used - coalesce(passed * b.tokens_per_minute / 60, 0))
        + CASE WHEN b.tokens_per_minute IS NULL THEN 0 ELSE sums.tokens END,
      running = b.running - sums.places,
      spent_day = b.spent_day + coalesce(sums.charged_day, 0),
      reserved_day = b.reserved_day - coalesce(sums.reserved_day, 0),
      spent_month = b.spent_month + coalesce(sums.charged_month, 0),
      reserved_month = b.reserved_month - coalesce(sums.reserved_month, 0),
      spent_total = b.spent_total + sums.charged,
      reserved_total = b.reserved_total - sums.reserved
    FROM (
      SELECT x.id, greatest(0, extract(epoch FROM clock_timestamp() - min(x.at)))::float8 AS passed,
        sum(c.tokens) AS tokens, count(*)::int * limit_change.places AS places, sum(c.charged) AS charged, sum(c.reserved) AS reserved,
        sum(c.charged) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS charged_day,
        sum(c.reserved) FILTER (WHERE (c.admitted_at AT TIME ZONE 'UTC')::date = x.day) AS reserved_day,
        sum(c.charged) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS charged_month,
        sum(c.reserved) FILTER (WHERE date_trunc('month', c.admitted_at AT TIME ZONE 'UTC') = x.month) AS reserved_month
      FROM unnest(limit_change.limited_by, limit_change.admitted_at, limit_change.reserved, limit_change.charged,
        limit_change.tokens) AS c (limited_by, admitted_at, reserved, charged, tokens)
      CROSS JOIN unnest(c.limited_by::uuid[]) AS i (id) JOIN limit_balances AS x ON x.id = i.id
      GROUP BY x.id
    ) AS sums
    WHERE b.id = sums.id;
  END $$`;

/**
 * Calls have ended whose rows were open until now: what they held of their balances, which are locked, is given back, and
 * what they cost charged; of a day or month that is over nothing is kept. The arrays have a place for each group of calls
 * that have their balances (the text of an array) and the day of their admission in common. `instant`: what the lock told.
 * A day or month that lies in the future is left to the next admission, which counts the present anew.
 */
const CHARGE = `
  CREATE OR REPLACE FUNCTION limit_charge(
    instant timestamptz, balances text[], admitted date[], calls int[], held bigint[], costs bigint[], tokens float8[]
  ) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    today date := (instant AT TIME ZONE 'UTC')::date;
    this_month date := date_trunc('month', today::timestamp)::date;
  BEGIN
    UPDATE limit_balances AS b SET
      at = instant,
      requests_used = CASE WHEN b.requests_per_minute IS NULL THEN b.requests_used
        ELSE greatest(0, b.requests_used - greatest(0, date_part('epoch', instant - b.at)) * b.requests_per_minute / 60) END,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - greatest(0, date_part('epoch', instant - b.at)) * b.tokens_per_minute / 60)
          + s.tokens END,
      running = b.running - s.calls,
      day = greatest(b.day, today),
      spent_day = CASE WHEN b.day > today THEN b.spent_day WHEN b.day = today THEN b.spent_day + s.cost_today
        ELSE s.cost_today END,
      reserved_day = CASE WHEN b.day > today THEN b.reserved_day WHEN b.day = today THEN b.reserved_day - s.held_today
        ELSE -s.held_today END,
      base_day = CASE WHEN b.day >= today THEN b.base_day ELSE 0 END,
      month = greatest(b.month, this_month),
      spent_month = CASE WHEN b.month > this_month THEN b.spent_month WHEN b.month = this_month THEN b.spent_month + s.cost_this_month
        ELSE s.cost_this_month END,
      reserved_month = CASE WHEN b.month > this_month THEN b.reserved_month WHEN b.month = this_month THEN b.reserved_month - s.held_this_month
        ELSE -s.held_this_month END,
      base_month = CASE WHEN b.month >= this_month THEN b.base_month ELSE 0 END,
      spent_total = b.spent_total + s.cost,
      reserved_total = b.reserved_total - s.held
    FROM (
      SELECT i.id, sum(c.calls)::int AS calls, sum(c.tokens) AS tokens, sum(c.cost)::bigint AS cost,
        sum(c.held)::bigint AS held,
        sum(CASE WHEN c.admitted = today THEN c.cost ELSE 0 END)::bigint AS cost_today,
        sum(CASE WHEN c.admitted = today THEN c.held ELSE 0 END)::bigint AS held_today,
        sum(CASE WHEN date_trunc('month', c.admitted::timestamp) = this_month THEN c.cost ELSE 0 END)::bigint AS cost_this_month,
        sum(CASE WHEN date_trunc('month', c.admitted::timestamp) = this_month THEN c.held ELSE 0 END)::bigint AS held_this_month
      FROM unnest(limit_charge.balances, limit_charge.admitted, limit_charge.calls, limit_charge.held, limit_charge.costs,
        limit_charge.tokens) AS c (balances, admitted, calls, held, cost, tokens)
      CROSS JOIN unnest(c.balances::uuid[]) AS i (id)
      GROUP BY i.id
    ) AS s
    WHERE b.id = s.id;
  END $$`;

/**
 * Calls have ended that were taken for interrupted, or whose rows were lost: they are admitted anew with what is left, and
 * their rows, which the statement has just closed, say so. They are charged what they cost; `already` is what was charged
 * when they were taken for interrupted, on the day of their first admission (`since`). Their balances are locked;
 * `instant`: what the lock told.
 */
const CHARGE_LATE = `
  CREATE OR REPLACE FUNCTION limit_charge_late(calls json, instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    ids uuid[];
    one record;
    room bigint;
    now_at timestamptz := instant;
  BEGIN
    SELECT array_agg(DISTINCT i.id) INTO ids
    FROM json_to_recordset(calls) AS c (limited_by uuid[]) CROSS JOIN unnest(c.limited_by) AS i (id);
    PERFORM limit_roll(ids, instant);
    FOR one IN
      SELECT * FROM json_to_recordset(calls) AS c (
        id text, started_at timestamptz, limited_by uuid[], cost bigint, reserved bigint, tokens float8, already bigint,
        since timestamptz
      )
    LOOP
      IF one.already > 0 THEN
        PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[one.since], ARRAY[0]::bigint[], ARRAY[-one.already],
          ARRAY[0]::float8[], 0);
      END IF;
      SELECT min(least(cap_day - spent_day - reserved_day, cap_month - spent_month - reserved_month,
        cap_total - spent_total - reserved_total)) INTO room
      FROM limit_balances WHERE id = ANY(one.limited_by);
      now_at := now_at + interval '1 microsecond';
      UPDATE usage_calls SET admitted_at = now_at,
        reserved_nanodollars = CASE WHEN room IS NOT NULL OR one.reserved IS NOT NULL
          THEN greatest(0, least(one.cost, one.reserved, room)) END
      WHERE id = one.id AND started_at = one.started_at;
      PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[now_at], ARRAY[0]::bigint[], ARRAY[one.cost],
        ARRAY[one.tokens], 0);
    END LOOP;
    UPDATE limit_balances AS b SET at = greatest(b.at, now_at) WHERE id = ANY(ids);
  END $$`;

/**
 * Closes the open calls of a process whose advisory lock is free, charges their prompts, as far as is known, and gives back
 * the rest of what they held. Returns how many.
 */
const INTERRUPT = `
  CREATE OR REPLACE FUNCTION limit_interrupt(instance bigint) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    locked uuid[];
    whose text[];
    since timestamptz[];
    held bigint[];
    charged bigint[];
    calls int;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(instance) THEN
      RETURN 0;
    END IF;
    SELECT array_agg(DISTINCT i.id) INTO locked FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.instance_id = instance;
    PERFORM limit_lock(locked);
    WITH closed AS (
      UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
        input_tokens = estimated_input_tokens, token_source = 'estimated',
        cost_nanodollars = coalesce(prompt_nanodollars, 0),
        charge = CASE WHEN prompt_nanodollars > 0 THEN '{"basis": "prompt"}'::jsonb END
      WHERE status = 'open' AND instance_id = instance AND (limited_by IS NULL OR limited_by <@ locked)
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved, cost_nanodollars AS cost
    )
    SELECT count(*), array_agg(c.limited_by::text) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.admitted_at) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.reserved) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.cost) FILTER (WHERE c.limited_by IS NOT NULL)
    INTO calls, whose, since, held, charged FROM closed AS c;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, charged, array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
    RETURN calls;
  END $$`;
