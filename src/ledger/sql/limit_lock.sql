-- Locks balances in the order of their ids, so that two transactions never wait for each other. Returns the time for
-- changes to them.
CREATE OR REPLACE FUNCTION limit_lock(ids uuid[]) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  instant timestamptz;
BEGIN
  SELECT limit_now(max(b.at)) INTO instant FROM (
    SELECT at FROM limit_balances WHERE id = ANY(ids) ORDER BY id FOR UPDATE
  ) AS b;
  -- At least a millisecond before the end of its day.
  RETURN greatest(instant, date_trunc('day', instant + interval '1 ms', 'UTC'));
END $$;
