import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each limited user or key has left. Whatever decides about calls, gives back or charges locks the balances
 * that it needs first, in the order of their ids, so that nobody waits in a circle; only who holds a balance changes a call
 * that counts in it.
 */
export class LimitBalances1795611000000 implements MigrationInterface {
  readonly name = 'LimitBalances1795611000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ALTER reserved_nanodollars DROP NOT NULL');
    await runner.query(`
      ALTER TABLE usage_calls ADD limited_by uuid[], ADD admitted_at timestamptz, ADD uncharged_nanodollars bigint`);
    await runner.query(BALANCES);
    await runner.query(`
      CREATE TABLE limit_caps (
        id uuid NOT NULL,
        since timestamptz NOT NULL,
        cap_day bigint,
        cap_month bigint,
        cap_total bigint,
        PRIMARY KEY (id, since)
      )`);
    for (const definition of [LOCK, ROLL, RECOUNT, CHANGE]) await runner.query(definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_change(text[], timestamptz[], bigint[], bigint[], float8[], int)');
    await runner.query('DROP FUNCTION limit_recount(uuid, timestamptz, boolean)');
    await runner.query('DROP FUNCTION limit_roll(uuid[], timestamptz)');
    await runner.query('DROP FUNCTION limit_lock(uuid[])');
    await runner.query('DROP TABLE limit_caps, limit_balances');
    await runner.query(`
      ALTER TABLE usage_calls DROP limited_by, DROP admitted_at, DROP uncharged_nanodollars`);
    await runner.query('UPDATE usage_calls SET reserved_nanodollars = 0 WHERE reserved_nanodollars IS NULL');
    await runner.query('ALTER TABLE usage_calls ALTER reserved_nanodollars SET NOT NULL');
  }
}

/**
 * A row of one user (for `plan` and `user`) or key. Levels are kept as what is used of a bucket, so that a new
 * size counts at once; `at` is when they were so, and `running` how many calls are under way. `base_…` is the part of
 * what was spent that calls without a limit had spent before; `cap_…` is the budget that held last.
 */
const BALANCES = `
  CREATE TABLE limit_balances (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    requests_per_minute float8,
    requests_used float8 NOT NULL DEFAULT 0,
    tokens_per_minute float8,
    tokens_used float8 NOT NULL DEFAULT 0,
    running int NOT NULL DEFAULT 0,
    ${['day', 'month', 'total']
      .map(
        (period) => `
    ${period === 'total' ? '' : `${period} date NOT NULL DEFAULT 'epoch',`}
    cap_${period} bigint,
    spent_${period} bigint NOT NULL DEFAULT 0,
    reserved_${period} bigint NOT NULL DEFAULT 0,
    base_${period} bigint NOT NULL DEFAULT 0`,
      )
      .join(',')}
  ) WITH (fillfactor = 50)`;

/**
 * Locks balances in the order of their ids. Returns the time for what is done with them: later than all that was done, and
 * with a millisecond to the end of its day.
 */
const LOCK = `
  CREATE FUNCTION limit_lock(ids uuid[]) RETURNS timestamptz LANGUAGE plpgsql AS $$
  DECLARE
    instant timestamptz;
  BEGIN
    SELECT greatest(clock_timestamp(), max(b.at)) INTO instant FROM (
      SELECT at FROM limit_balances WHERE id = ANY(ids) ORDER BY id FOR UPDATE
    ) AS b;
    RETURN greatest(instant, date_trunc('day', instant + interval '1 ms', 'UTC'));
  END $$`;

/** Begins the day and the month that an instant lies in, for balances that are locked. */
const ROLL = `
  CREATE FUNCTION limit_roll(ids uuid[], instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE limit_balances SET day = (instant AT TIME ZONE 'UTC')::date, spent_day = 0, reserved_day = 0, base_day = 0
    WHERE id = ANY(ids) AND day < (instant AT TIME ZONE 'UTC')::date;
    UPDATE limit_balances SET
      month = date_trunc('month', instant AT TIME ZONE 'UTC')::date, spent_month = 0, reserved_month = 0, base_month = 0
    WHERE id = ANY(ids) AND month < date_trunc('month', instant AT TIME ZONE 'UTC')::date;
  END $$`;

/** A budget begins to hold: what its calls have cost in the day, the month and in all while nothing limited them. */
const RECOUNT = `
  CREATE FUNCTION limit_recount(one uuid, instant timestamptz, whole boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    new_day bigint;
    new_month bigint;
    new_total bigint;
  BEGIN
    PERFORM limit_roll(ARRAY[one], instant);
    SELECT coalesce(sum(cost_nanodollars) FILTER (WHERE started_at >= date_trunc('day', instant, 'UTC')), 0),
      coalesce(sum(cost_nanodollars) FILTER (WHERE started_at >= date_trunc('month', instant, 'UTC')), 0),
      coalesce(sum(cost_nanodollars), 0) INTO new_day, new_month, new_total
    FROM (
      SELECT started_at, cost_nanodollars FROM usage_calls
      WHERE status <> 'open' AND user_id = one AND (SELECT kind FROM limit_balances WHERE id = one) = 'user'
        AND started_at >= CASE WHEN whole THEN '-infinity' ELSE date_trunc('month', instant, 'UTC') END
        AND (limited_by IS NULL OR NOT one = ANY(limited_by))
      UNION ALL SELECT started_at, cost_nanodollars FROM usage_calls
      WHERE status <> 'open' AND key_id = one AND (SELECT kind FROM limit_balances WHERE id = one) = 'key'
        AND started_at >= CASE WHEN whole THEN '-infinity' ELSE date_trunc('month', instant, 'UTC') END
        AND (limited_by IS NULL OR NOT one = ANY(limited_by))
    ) AS call;
    UPDATE limit_balances SET
      spent_day = spent_day - base_day + new_day, base_day = new_day,
      spent_month = spent_month - base_month + new_month, base_month = new_month,
      spent_total = CASE WHEN whole THEN spent_total - base_total + new_total ELSE spent_total END,
      base_total = CASE WHEN whole THEN new_total ELSE base_total END
    WHERE id = one;
  END $$`;

/**
 * Calls end, and give back what they held of their balances, which are locked; a day or month that is over is left. Each
 * call has its place in the arrays; its balances are the text of an array. All give back so many places.
 */
const CHANGE = `
  CREATE FUNCTION limit_change(
    limited_by text[], admitted_at timestamptz[], reserved bigint[], charged bigint[], tokens float8[], places int
  ) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE limit_balances AS b SET
      at = greatest(b.at, clock_timestamp()),
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
