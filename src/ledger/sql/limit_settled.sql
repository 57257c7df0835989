-- What is used of a bucket with `new_rate` a minute, if it was `used` some seconds ago at `old_rate`. The time before a
-- change of the rate counts by the old rate. A changed bucket is never fuller than full, so nobody waits longer than it
-- takes to fill it from empty.
CREATE OR REPLACE FUNCTION limit_settled(used float8, seconds float8, old_rate float8, new_rate float8) RETURNS float8
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN old_rate = new_rate THEN greatest(0, used - seconds * new_rate / 60)
    ELSE least(new_rate, greatest(0, used - seconds * coalesce(old_rate, new_rate) / 60)) END
$$;
