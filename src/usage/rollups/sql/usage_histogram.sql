-- A histogram with one value. A histogram is a string of entries of four bytes, in any order: the bucket (one byte) and how
-- often it occurs (three bytes). So two histograms are added by concatenating them. Bucket 0 holds 0 ms; bucket n holds
-- values from 1.1^(n-1) ms to below 1.1^n.
CREATE OR REPLACE FUNCTION usage_histogram(ms int) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT set_byte('\x00000001', 0,
    CASE WHEN ms < 1 THEN 0 ELSE least(255, 1 + floor(ln(ms::float8) / ln(1.1::float8))::int) END)
$$;
