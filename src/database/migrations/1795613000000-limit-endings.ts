import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What calls give back to their balances, and what they are charged, when they end. */
export class LimitEndings1795613000000 implements MigrationInterface {
  readonly name = 'LimitEndings1795613000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SETTLE);
    await runner.query(INTERRUPT);
    await runner.query(TAKE_BACK);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_take_back(json)');
    await runner.query('DROP FUNCTION limit_interrupt(bigint)');
    await runner.query('DROP FUNCTION limit_settle(json)');
  }
}

/**
 * Calls of a batch have ended: what they held of their balances is given back, and what they cost charged, at most what
 * was reserved. Once for each: a row that is closed already keeps what it has. The row of a call that was taken for
 * interrupted, or lost, is admitted anew with what is left. Arrays are by the place in the batch.
 */
const SETTLE = `
  CREATE FUNCTION limit_settle(
    calls json, OUT charged bigint[], OUT reserved bigint[], OUT admitted_at timestamptz[]
  ) LANGUAGE plpgsql AS $$
  DECLARE
    ids uuid[];
    now_at timestamptz;
    whose text[];
    since timestamptz[];
    held bigint[];
    costs bigint[];
    more float8[];
    is_late boolean;
    one record;
    room bigint;
  BEGIN
    SELECT array_agg(DISTINCT i.id) INTO ids
    FROM json_to_recordset(calls) AS c (limited_by uuid[]) CROSS JOIN unnest(c.limited_by) AS i (id);
    now_at := limit_lock(ids);

    SELECT
      array_agg(CASE
        WHEN c.limited_by IS NULL THEN NULL
        WHEN u.status NOT IN ('open', 'interrupted') THEN u.cost_nanodollars
        ELSE least(c.cost_nanodollars, u.reserved_nanodollars)
      END ORDER BY c.place),
      array_agg(u.limited_by::text) FILTER (WHERE u.status = 'open'),
      array_agg(u.admitted_at) FILTER (WHERE u.status = 'open'),
      array_agg(coalesce(u.reserved_nanodollars, 0)) FILTER (WHERE u.status = 'open'),
      array_agg(least(c.cost_nanodollars, u.reserved_nanodollars)) FILTER (WHERE u.status = 'open'),
      array_agg(greatest(0, c.input_tokens + c.output_tokens - u.estimated_input_tokens)::float8)
        FILTER (WHERE u.status = 'open'),
      bool_or(c.limited_by IS NOT NULL AND (u.id IS NULL OR u.status = 'interrupted'))
    INTO charged, whose, since, held, costs, more, is_late
    FROM ROWS FROM (json_to_recordset(calls) AS (
      id text, started_at timestamptz, limited_by uuid[], cost_nanodollars bigint, input_tokens bigint,
      output_tokens bigint
    )) WITH ORDINALITY AS c (id, started_at, limited_by, cost_nanodollars, input_tokens, output_tokens, place)
    LEFT JOIN usage_calls AS u ON u.id = c.id AND u.started_at = c.started_at AND c.limited_by IS NOT NULL;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, costs, more, 1);
    END IF;
    IF NOT is_late THEN
      RETURN;
    END IF;

    PERFORM limit_roll(ids, now_at);
    FOR one IN
      SELECT c.*, u.status FROM ROWS FROM (json_to_recordset(calls) AS (
        id text, started_at timestamptz, limited_by uuid[], cost_nanodollars bigint, reserved_nanodollars bigint,
        input_tokens bigint, output_tokens bigint, estimated_input_tokens bigint
      )) WITH ORDINALITY AS c (id, started_at, limited_by, cost_nanodollars, reserved_nanodollars, input_tokens,
        output_tokens, estimated_input_tokens, place)
      LEFT JOIN usage_calls AS u ON u.id = c.id AND u.started_at = c.started_at
      WHERE c.limited_by IS NOT NULL AND (u.id IS NULL OR u.status = 'interrupted')
      ORDER BY c.place
    LOOP
      SELECT min(least(cap_day - spent_day - reserved_day, cap_month - spent_month - reserved_month,
        cap_total - spent_total - reserved_total)) INTO room
      FROM limit_balances WHERE id = ANY(one.limited_by);
      now_at := now_at + interval '1 microsecond';
      admitted_at[one.place] := now_at;
      charged[one.place] := greatest(0, least(one.cost_nanodollars, one.reserved_nanodollars, room));
      reserved[one.place] := CASE WHEN room IS NOT NULL OR one.reserved_nanodollars IS NOT NULL
        THEN charged[one.place] END;
      PERFORM limit_change(ARRAY[one.limited_by::text], ARRAY[now_at], ARRAY[0]::bigint[], ARRAY[charged[one.place]],
        ARRAY[greatest(0, one.input_tokens + one.output_tokens
          - CASE WHEN one.status IS NULL THEN 0 ELSE one.estimated_input_tokens END)]::float8[], 0);
    END LOOP;
    UPDATE limit_balances AS b SET at = greatest(b.at, now_at) WHERE id = ANY(ids);
  END $$`;

/** Closes the open calls of a process whose advisory lock is free, and gives back what they held. Returns how many. */
export const INTERRUPT = `
  CREATE FUNCTION limit_interrupt(instance bigint) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    whose text[];
    since timestamptz[];
    held bigint[];
    calls int;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(instance) THEN
      RETURN 0;
    END IF;
    PERFORM limit_lock(array_agg(DISTINCT i.id)) FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.instance_id = instance;
    WITH closed AS (
      UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
        input_tokens = estimated_input_tokens, token_source = 'estimated'
      WHERE status = 'open' AND instance_id = instance
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
    )
    SELECT count(*), array_agg(c.limited_by::text) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.admitted_at) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.reserved) FILTER (WHERE c.limited_by IS NOT NULL)
    INTO calls, whose, since, held FROM closed AS c;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
        array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
    RETURN calls;
  END $$`;

/** Takes back open rows of calls that were refused after all, given by their ids, with what they held. */
const TAKE_BACK = `
  CREATE FUNCTION limit_take_back(ids json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    asked text[] := ARRAY(SELECT json_array_elements_text(ids));
    whose text[];
    since timestamptz[];
    held bigint[];
  BEGIN
    PERFORM limit_lock(array_agg(DISTINCT i.id)) FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.id = ANY(asked);
    WITH gone AS (
      DELETE FROM usage_calls WHERE status = 'open' AND id = ANY(asked)
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
    )
    SELECT array_agg(g.limited_by::text), array_agg(g.admitted_at), array_agg(g.reserved) INTO whose, since, held
    FROM gone AS g WHERE g.limited_by IS NOT NULL;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
        array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
  END $$`;
