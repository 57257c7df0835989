-- Marks the balance of a user or key whose budget has just been set, so that its base is computed before the first call.
-- It never waits for a locked row: the first call marks the balance, too.
CREATE OR REPLACE FUNCTION limit_expect(one uuid, of_kind text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  instant timestamptz := clock_timestamp();
  today date := (instant AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO limit_balances (id, kind, at, day, month, base_wanted)
  VALUES (one, of_kind, instant, today, date_trunc('month', today::timestamp)::date, 3)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN;
  END IF;
  PERFORM FROM limit_balances WHERE id = one FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    PERFORM limit_present(ARRAY[one], instant);
    PERFORM limit_roll(ARRAY[one], instant);
    UPDATE limit_balances SET base_wanted = (base_wanted | 3) + 4 WHERE id = one;
  END IF;
END $$;
