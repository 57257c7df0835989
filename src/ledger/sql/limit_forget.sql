-- Forgets the budgets of balances that nothing limits any more. When a budget applies again, what was spent in between
-- counts.
CREATE OR REPLACE FUNCTION limit_forget(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM limit_lock(ids);
  UPDATE limit_balances SET cap_day = NULL, cap_month = NULL, cap_total = NULL WHERE id = ANY(ids);
END $$;
