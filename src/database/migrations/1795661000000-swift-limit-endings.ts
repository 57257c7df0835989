import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What calls that have ended give back and are charged, by sums of all calls of a batch with the same balances. What went
 * before (`limit_settle`) stays: gateways of the version before serve on while they are replaced.
 */
export class SwiftLimitEndings1795661000000 implements MigrationInterface {
  readonly name = 'SwiftLimitEndings1795661000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CHARGE);
    await runner.query(CHARGE_LATE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_charge_late(json, timestamptz)');
    await runner.query('DROP FUNCTION limit_charge(timestamptz, text[], date[], int[], bigint[], bigint[], float8[])');
  }
}

/**
 * Calls have ended whose rows were open until now: what they held of their balances, which are locked, is given back, and
 * what they cost charged; of a day or month that is over nothing is kept. The arrays have a place for each group of calls
 * that have their balances (the text of an array) and the day of their admission in common. `instant`: what the lock told.
 */
const CHARGE = `
  CREATE FUNCTION limit_charge(
    instant timestamptz, balances text[], admitted date[], calls int[], held bigint[], costs bigint[], tokens float8[]
  ) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    today date := (instant AT TIME ZONE 'UTC')::date;
    this_month date := date_trunc('month', today::timestamp)::date;
  BEGIN
    UPDATE limit_balances AS b SET
      at = instant,
      requests_used = CASE WHEN b.requests_per_minute IS NULL THEN b.requests_used
        ELSE greatest(0, b.requests_used - date_part('epoch', instant - b.at) * b.requests_per_minute / 60) END,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - date_part('epoch', instant - b.at) * b.tokens_per_minute / 60) + s.tokens END,
      running = b.running - s.calls,
      day = today,
      spent_day = CASE WHEN b.day = today THEN b.spent_day ELSE 0 END + s.cost_today,
      reserved_day = CASE WHEN b.day = today THEN b.reserved_day ELSE 0 END - s.held_today,
      base_day = CASE WHEN b.day = today THEN b.base_day ELSE 0 END,
      month = this_month,
      spent_month = CASE WHEN b.month = this_month THEN b.spent_month ELSE 0 END + s.cost_this_month,
      reserved_month = CASE WHEN b.month = this_month THEN b.reserved_month ELSE 0 END - s.held_this_month,
      base_month = CASE WHEN b.month = this_month THEN b.base_month ELSE 0 END,
      spent_total = b.spent_total + s.cost,
      reserved_total = b.reserved_total - s.held
    FROM (
      SELECT i.id, sum(c.calls)::int AS calls, sum(c.tokens) AS tokens, sum(c.cost)::bigint AS cost,
        sum(c.held)::bigint AS held,
        sum(CASE WHEN c.admitted = today THEN c.cost ELSE 0 END)::bigint AS cost_today,
        sum(CASE WHEN c.admitted = today THEN c.held ELSE 0 END)::bigint AS held_today,
        sum(CASE WHEN c.admitted >= this_month THEN c.cost ELSE 0 END)::bigint AS cost_this_month,
        sum(CASE WHEN c.admitted >= this_month THEN c.held ELSE 0 END)::bigint AS held_this_month
      FROM unnest(limit_charge.balances, limit_charge.admitted, limit_charge.calls, limit_charge.held, limit_charge.costs,
        limit_charge.tokens) AS c (balances, admitted, calls, held, cost, tokens)
      CROSS JOIN unnest(c.balances::uuid[]) AS i (id)
      GROUP BY i.id
    ) AS s
    WHERE b.id = s.id;
  END $$`;

/**
 * Calls have ended that were taken for interrupted, or whose rows were lost: they are admitted anew with what is left, and
 * their rows, which the statement has just closed, say so. They are charged at most what was reserved for them. Their
 * balances are locked; `instant`: what the lock told.
 */
const CHARGE_LATE = `
  CREATE FUNCTION limit_charge_late(calls json, instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    ids uuid[];
    one record;
    room bigint;
    charge bigint;
    now_at timestamptz := instant;
  BEGIN
    SELECT array_agg(DISTINCT i.id) INTO ids
    FROM json_to_recordset(calls) AS c (limited_by uuid[]) CROSS JOIN unnest(c.limited_by) AS i (id);
    PERFORM limit_roll(ids, instant);
    FOR one IN
      SELECT * FROM json_to_recordset(calls) AS c (
        id text, started_at timestamptz, limited_by uuid[], cost bigint, reserved bigint, tokens float8
      )
    LOOP
      SELECT min(least(cap_day - spent_day - reserved_day, cap_month - spent_month - reserved_month,
        cap_total - spent_total - reserved_total)) INTO room
      FROM limit_balances WHERE id = ANY(one.limited_by);
      now_at := now_at + interval '1 microsecond';
      charge := greatest(0, least(one.cost, one.reserved, room));
      UPDATE usage_calls SET admitted_at = now_at, cost_nanodollars = charge,
        uncharged_nanodollars = nullif(one.cost - charge, 0),
        reserved_nanodollars = CASE WHEN room IS NOT NULL OR one.reserved IS NOT NULL THEN charge END
      WHERE id = one.id AND started_at = one.started_at;
      PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[now_at], ARRAY[0]::bigint[], ARRAY[charge],
        ARRAY[one.tokens], 0);
    END LOOP;
    UPDATE limit_balances AS b SET at = greatest(b.at, now_at) WHERE id = ANY(ids);
  END $$`;
