-- For a statement that closes limited calls and expects their rows to be open: it fails where one is not.
CREATE OR REPLACE FUNCTION limit_not_usual() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a limited call does not end as usual' USING ERRCODE = 'GWNOT';
END $$;
