-- Starts the day and the month of `instant` for locked balances.
CREATE OR REPLACE FUNCTION limit_roll(ids uuid[], instant timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE limit_balances SET day = (instant AT TIME ZONE 'UTC')::date, spent_day = 0, reserved_day = 0, base_day = 0
  WHERE id = ANY(ids) AND day < (instant AT TIME ZONE 'UTC')::date;
  UPDATE limit_balances SET
    month = date_trunc('month', instant AT TIME ZONE 'UTC')::date, spent_month = 0, reserved_month = 0, base_month = 0
  WHERE id = ANY(ids) AND month < date_trunc('month', instant AT TIME ZONE 'UTC')::date;
END $$;
