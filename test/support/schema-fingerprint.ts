import type { TestDatabase } from './test-database.js';

/** The description of a database's tables in the catalog, without generated names of partitions. */
export async function schemaFingerprint(database: Pick<TestDatabase, 'query'>): Promise<string[]> {
  const rows = await database.query<{ line: string }>(`
    SELECT line FROM (
      SELECT concat_ws(' ', table_name, ordinal_position, column_name, udt_name, column_default, is_nullable,
        is_identity, identity_generation, is_generated, generation_expression, collation_name) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL
      SELECT concat_ws(' ', relname, relkind, relpersistence, reloptions, pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid))
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'I')
      UNION ALL
      SELECT concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod))
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND relkind = 'c'
      UNION ALL
      SELECT concat_ws(' ', conrelid::regclass, CASE WHEN conparentid = 0 THEN conname END, contype, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL
      SELECT concat_ws(' ', tablename, CASE WHEN i.relispartition THEN regexp_replace(indexdef, ' INDEX \\S+ ', ' INDEX ') ELSE indexdef END)
      FROM pg_indexes JOIN pg_class i ON i.relname = indexname WHERE schemaname = 'public'
      UNION ALL
      SELECT concat_ws(' ', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL
      SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT concat_ws(' ', sequencename, data_type, last_value) FROM pg_sequences WHERE schemaname = 'public'
      UNION ALL
      SELECT concat_ws(' ', viewname, definition) FROM pg_views WHERE schemaname = 'public'
      UNION ALL
      SELECT concat_ws(' ', tablename, policyname, qual) FROM pg_policies WHERE schemaname = 'public'
      UNION ALL
      SELECT concat_ws(' ', typname, typtype) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
    ) AS lines
    ORDER BY line COLLATE "C"`);
  return rows.map(({ line }) => line);
}
