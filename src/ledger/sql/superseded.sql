-- Functions that no gateway calls any more, from the released version on.
DROP FUNCTION IF EXISTS limit_admit(json, json, int, boolean);
DROP FUNCTION IF EXISTS limit_recount(uuid, timestamptz, boolean);
DROP FUNCTION IF EXISTS limit_settle(json);
