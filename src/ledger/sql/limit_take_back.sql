-- Deletes open rows, given by their ids, of calls that were refused after all, and returns what they reserved.
CREATE OR REPLACE FUNCTION limit_take_back(ids json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  asked text[] := ARRAY(SELECT json_array_elements_text(ids));
  whose text[];
  since timestamptz[];
  held bigint[];
BEGIN
  PERFORM limit_lock(array_agg(DISTINCT i.id)) FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
  WHERE u.status = 'open' AND u.id = ANY(asked);
  WITH gone AS (
    DELETE FROM usage_calls WHERE status = 'open' AND id = ANY(asked)
    RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
  )
  SELECT array_agg(g.limited_by::text), array_agg(g.admitted_at), array_agg(g.reserved) INTO whose, since, held
  FROM gone AS g WHERE g.limited_by IS NOT NULL;
  IF whose IS NOT NULL THEN
    PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
      array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
  END IF;
END $$;
