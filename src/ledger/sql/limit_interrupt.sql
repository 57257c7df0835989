-- Closes the open calls of a process whose advisory lock is free: charges their prompts, as far as known, and returns the
-- rest of what they reserved. A process that lost its lock may still run and open calls: only calls whose balances were
-- locked here are closed, so that nobody waits in a circle; the next run closes the rest. Returns how many it closed.
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
END $$;
