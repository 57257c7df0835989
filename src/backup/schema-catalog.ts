import type pg from 'pg';

/** A table from the catalog; names are quoted where SQL needs it. */
export interface Table {
  readonly oid: number;
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: string | null;
  readonly partitionKey: string | null;
  readonly parent: string | null;
  readonly bound: string | null;
}

export interface Column {
  readonly table: number;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly required: boolean;
  /** `a`: always, `d`: by default, empty: none. */
  readonly identity: string;
  readonly generated: boolean;
  readonly value: string | null;
}

export interface Sequence {
  readonly name: string;
  readonly type: string;
  readonly last: string | null;
  readonly table: string | null;
  readonly column: string | null;
  readonly isIdentity: boolean;
}

/** The gateway's schema, without objects of extensions. */
const OURS = (oid: string) => `NOT EXISTS (SELECT FROM pg_depend WHERE objid = ${oid} AND deptype = 'e')`;
const SCHEMA = 'current_schema()::text::regnamespace';

/** Partitions come last. */
export function readTables(client: pg.ClientBase): Promise<Table[]> {
  return read<Table>(
    client,
    `SELECT c.oid::int, quote_ident(c.relname) AS name, c.relpersistence = 'u' AS unlogged,
       array_to_string(c.reloptions, ', ') AS options, pg_get_partkeydef(c.oid) AS "partitionKey",
       quote_ident(parent.relname) AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
     FROM pg_class c
     LEFT JOIN pg_inherits ON inhrelid = c.oid
     LEFT JOIN pg_class parent ON parent.oid = inhparent
     WHERE c.relnamespace = ${SCHEMA} AND c.relkind IN ('r', 'p') AND ${OURS('c.oid')}
     ORDER BY c.relispartition, c.relname COLLATE "C"`,
  );
}

export function readColumns(client: pg.ClientBase, tables: readonly Table[]): Promise<Column[]> {
  return read<Column>(
    client,
    `SELECT attrelid::int AS "table", quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type,
       (SELECT quote_ident(collname) FROM pg_collation
        WHERE pg_collation.oid = attcollation AND attcollation <> typcollation) AS collation,
       attnotnull AS required, attidentity AS identity, attgenerated <> '' AS generated,
       pg_get_expr(adbin, adrelid) AS value
     FROM pg_attribute
     JOIN pg_type ON pg_type.oid = atttypid
     LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = ANY ($1::oid[]) AND attnum > 0 AND NOT attisdropped
     ORDER BY attrelid, attnum`,
    oids(tables),
  );
}

export function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  return read<Sequence>(
    client,
    `SELECT quote_ident(s.relname) AS name, format_type(seqtypid, NULL) AS type, last_value::text AS last,
       quote_ident(t.relname) AS table, quote_ident(attname) AS column, coalesce(deptype = 'i', false) AS "isIdentity"
     FROM pg_class s
     JOIN pg_sequence ON seqrelid = s.oid
     JOIN pg_sequences ON schemaname = current_schema() AND sequencename = s.relname
     LEFT JOIN pg_depend ON pg_depend.objid = s.oid AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
     LEFT JOIN pg_class t ON t.oid = refobjid
     LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
     WHERE s.relnamespace = ${SCHEMA} AND ${OURS('s.oid')}
     ORDER BY s.relname COLLATE "C"`,
  );
}

/** Composite types, as statements that create them; a table's own type comes with the table. */
export function readTypes(client: pg.ClientBase): Promise<{ name: string; definition: string }[]> {
  return read(
    client,
    `SELECT quote_ident(relname) AS name, format('CREATE TYPE %I AS (%s)', relname,
       string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)) AS definition
     FROM pg_class c
     JOIN pg_attribute ON attrelid = c.oid AND NOT attisdropped
     WHERE relnamespace = ${SCHEMA} AND relkind = 'c' AND ${OURS('c.oid')}
     GROUP BY relname
     ORDER BY relname COLLATE "C"`,
  );
}

/** Functions as statements that create them in the current schema. */
export function readFunctions(client: pg.ClientBase): Promise<{ name: string; definition: string }[]> {
  return read(
    client,
    `SELECT oid::regprocedure::text AS name,
       replace(pg_get_functiondef(oid), 'FUNCTION ' || quote_ident(current_schema()) || '.', 'FUNCTION ') AS definition
     FROM pg_proc
     WHERE pronamespace = ${SCHEMA} AND prokind = 'f' AND ${OURS('pg_proc.oid')}
     ORDER BY proname COLLATE "C", oid`,
  );
}

/**
 * Additions to filled tables: constraints, indexes, triggers; foreign keys last. Partitions get theirs from their
 * table.
 */
export async function readAdditions(client: pg.ClientBase, tables: readonly Table[]): Promise<string[]> {
  const rows = await read<{ statement: string }>(
    client,
    `SELECT statement FROM (
       SELECT CASE WHEN contype = 'f' THEN 3 ELSE 1 END AS step, conname AS name,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid, true)) AS statement
       FROM pg_constraint
       WHERE conrelid = ANY ($1::oid[]) AND contype IN ('c', 'p', 'u', 'x', 'f') AND coninhcount = 0
       UNION ALL
       SELECT 2, relname, replace(pg_get_indexdef(indexrelid, 0, true), ' ON ONLY ', ' ON ')
       FROM pg_index
       JOIN pg_class ON pg_class.oid = indexrelid
       WHERE indrelid = ANY ($1::oid[]) AND NOT relispartition
         AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
       UNION ALL
       SELECT 4, tgname, pg_get_triggerdef(oid, true)
       FROM pg_trigger
       WHERE tgrelid = ANY ($1::oid[]) AND NOT tgisinternal AND tgparentid = 0
       UNION ALL
       SELECT 5, tgname, format('ALTER TABLE %s %s TRIGGER %I', tgrelid::regclass,
         CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'DISABLE' END, tgname)
       FROM pg_trigger
       WHERE tgrelid = ANY ($1::oid[]) AND NOT tgisinternal AND tgparentid = 0 AND tgenabled <> 'O'
     ) AS additions
     ORDER BY step, name COLLATE "C", statement COLLATE "C"`,
    oids(tables),
  );
  return rows.map(({ statement }) => statement);
}

/**
 * Rights on the tables of others than the owner, as statements that skip missing roles. Limited to what every supported
 * server version knows.
 */
export async function readGrants(client: pg.ClientBase, tables: readonly Table[]): Promise<string[]> {
  const rows = await read<{ statement: string }>(
    client,
    `SELECT format('DO %L', format('BEGIN IF %s THEN GRANT %s ON TABLE %s TO %s%s; END IF; END',
         CASE grantee WHEN 0 THEN 'true' ELSE format('to_regrole(%L) IS NOT NULL', name) END,
         string_agg(privilege_type || part, ', ' ORDER BY privilege_type, part), relation, name,
         CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)) AS statement
     FROM (
       SELECT oid AS relation, relowner AS owner, '' AS part, relacl AS rights FROM pg_class WHERE oid = ANY ($1::oid[])
       UNION ALL
       SELECT attrelid, relowner, format(' (%I)', attname), attacl
       FROM pg_attribute
       JOIN pg_class ON pg_class.oid = attrelid
       WHERE attrelid = ANY ($1::oid[]) AND NOT attisdropped
     ) AS objects (object, owner, part, rights)
     CROSS JOIN aclexplode(rights)
     CROSS JOIN LATERAL (SELECT object::regclass::text) AS relations (relation)
     CROSS JOIN LATERAL (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END) AS names (name)
     WHERE grantee <> owner
       AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER')
     GROUP BY relation, grantee, name, is_grantable
     ORDER BY relation COLLATE "C", name COLLATE "C", is_grantable`,
    oids(tables),
  );
  return rows.map(({ statement }) => statement);
}

function oids(tables: readonly Table[]): [number[]] {
  return [tables.map(({ oid }) => oid)];
}

async function read<Row extends object>(client: pg.ClientBase, sql: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(sql, values)).rows;
}
