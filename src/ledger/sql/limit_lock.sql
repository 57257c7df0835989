-- Locks balances in the order of their ids, so that two transactions never wait for each other. Returns the time for
-- changes to them. Balances that return to a day or month that they left are summed up first, see limit_present.
CREATE OR REPLACE FUNCTION limit_lock(ids uuid[]) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  instant timestamptz;
  was_ahead boolean;
BEGIN
  SELECT limit_now(max(b.at)), bool_or(b.furthest_day > b.day) INTO instant, was_ahead FROM (
    SELECT at, day, furthest_day FROM limit_balances WHERE id = ANY(ids) ORDER BY id FOR UPDATE
  ) AS b;
  -- At least a millisecond before the end of its day.
  instant := greatest(instant, date_trunc('day', instant + interval '1 ms', 'UTC'));
  IF was_ahead THEN
    PERFORM limit_present(array_agg(id), instant) FROM limit_balances
    WHERE id = ANY(ids) AND day < (instant AT TIME ZONE 'UTC')::date;
  END IF;
  RETURN instant;
END $$;
