-- The same histogram in its shortest form: one entry for each bucket, unless a count needs more than three bytes.
CREATE OR REPLACE FUNCTION usage_merged(histogram bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(
    set_byte(int4send(least(16777215, total - part * 16777215)::int), 0, bucket), '' ORDER BY bucket, part), '')
  FROM (
    SELECT get_byte(histogram, entry) AS bucket,
      sum(get_byte(histogram, entry + 1) * 65536 + get_byte(histogram, entry + 2) * 256
        + get_byte(histogram, entry + 3)) AS total
    FROM generate_series(0, length(histogram) - 4, 4) AS entry
    GROUP BY 1
  ) AS buckets
  CROSS JOIN LATERAL generate_series(0, (total - 1) / 16777215) AS part
$$;
