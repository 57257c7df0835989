-- Ends calls that were closed as interrupted before, or whose rows were lost: they are admitted again with what is left,
-- and their rows, which the same statement has just closed, record that. They are charged what they cost; `already` is what
-- was charged when they were closed as interrupted, on the day of their first admission (`since`). Their balances are
-- locked; `instant`: what limit_lock returned.
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
END $$;
