-- The time of a change to balances, the latest of which was last changed at `latest`: later than that, unless it lies more
-- than five seconds in the future (the clock ran ahead and was corrected).
CREATE OR REPLACE FUNCTION limit_now(latest timestamptz) RETURNS timestamptz LANGUAGE sql AS $$
  SELECT CASE WHEN latest > c.now + interval '5 s' THEN c.now ELSE greatest(c.now, latest) END
  FROM (SELECT clock_timestamp() AS now OFFSET 0) AS c
$$;
