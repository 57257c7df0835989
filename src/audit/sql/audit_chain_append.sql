-- Adds an entry of the audit log to the chain: its hash covers the entry and the hash before it. The trigger runs when the
-- transaction commits, so the chain has the order of commits; the lock is taken last and cannot be part of a deadlock.
-- The hashed text is that of audit-entry-text.ts.
CREATE OR REPLACE FUNCTION audit_chain_append() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_position bigint;
  last_hash bytea;
BEGIN
  PERFORM pg_advisory_xact_lock(26487, 3);
  -- A copied log comes with its chain.
  IF EXISTS (SELECT FROM audit_chain WHERE entry_id = NEW.id) THEN
    RETURN NULL;
  END IF;
  SELECT position, hash INTO last_position, last_hash FROM audit_chain ORDER BY position DESC LIMIT 1;
  INSERT INTO audit_chain VALUES (
    coalesce(last_position, 0) + 1,
    NEW.id,
    sha256(coalesce(last_hash, '') || convert_to(jsonb_build_array(
      NEW.id, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), NEW.actor_kind, NEW.actor_id,
      NEW.actor_name, NEW.action, NEW.target_kind, NEW.target_id, NEW.target_name, NEW.before, NEW.after, NEW.address,
      NEW.request_id
    )::text, 'UTF8'))
  );
  RETURN NULL;
END $$;
