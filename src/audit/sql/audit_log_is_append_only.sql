-- Refuses changes of the audit log and of its chain.
CREATE OR REPLACE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- user:forget replaces a person's name; audit:verify proves which entries it replaced.
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'audit_log' AND current_setting('gateway.redacting', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
