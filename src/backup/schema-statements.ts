import type pg from 'pg';
import {
  type Column,
  readAdditions,
  readColumns,
  readFunctions,
  readGrants,
  readSequences,
  readTables,
  readTypes,
  type Sequence,
  type Table,
} from './schema-catalog.js';

/** How the schema is created: the statements before and after the rows. */
export interface SchemaStatements {
  readonly before: readonly string[];
  readonly tables: readonly CopiedTable[];
  readonly after: readonly string[];
}

/** A table whose rows are copied, and their columns; it includes the rows of its partitions. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** `withContent`: prompts and answers are copied, too. */
export async function schemaStatements(client: pg.ClientBase, withContent: boolean): Promise<SchemaStatements> {
  const tables = await readTables(client);
  const columns = Map.groupBy(await readColumns(client, tables), ({ table }) => table);
  const sequences = await readSequences(client);
  const columnsOf = ({ oid }: Table) => columns.get(oid) ?? [];
  return {
    before: [
      ...(await readTypes(client)).map(({ definition }) => definition),
      ...(await readFunctions(client)).map(({ definition }) => definition),
      ...sequences
        .filter(({ isIdentity }) => !isIdentity)
        .map(({ name, type }) => `CREATE SEQUENCE ${name} AS ${type}`),
      ...tables.map((table) => createTable(table, columnsOf(table))),
    ],
    tables: tables
      .filter(({ parent, name }) => parent === null && !isLeftOut(name) && (withContent || !CONTENTS.has(name)))
      .map((table) => ({ name: table.name, columns: storedColumns(columnsOf(table)) })),
    after: [
      ...sequences.flatMap(continueSequence),
      ...(await readAdditions(client, tables)),
      ...(await readGrants(client, tables)),
    ],
  };
}

function createTable(table: Table, columns: readonly Column[]): string {
  const create = `CREATE ${table.unlogged ? 'UNLOGGED ' : ''}TABLE ${table.name}`;
  const options = table.options === null ? '' : ` WITH (${table.options})`;
  const partitioned = table.partitionKey === null ? '' : ` PARTITION BY ${table.partitionKey}`;
  const what =
    table.parent === null
      ? ` (\n  ${columns.map(toColumn).join(',\n  ')}\n)`
      : ` PARTITION OF ${table.parent} ${table.bound}`;
  return `${create}${what}${partitioned}${options}`;
}

function toColumn({ name, type, collation, required, identity, generated, value }: Column): string {
  const parts = [name, type];
  if (collation !== null) parts.push(`COLLATE ${collation}`);
  if (identity !== '') parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  else if (generated) parts.push(`GENERATED ALWAYS AS (${value}) STORED`);
  else if (value !== null) parts.push(`DEFAULT ${value}`);
  if (required) parts.push('NOT NULL');
  return parts.join(' ');
}

function storedColumns(columns: readonly Column[]): string[] {
  return columns.filter(({ generated }) => !generated).map(({ name }) => name);
}

function continueSequence({ name, last, table, column, isIdentity }: Sequence): string[] {
  const isOwned = table !== null && column !== null;
  const sequence = isIdentity ? `pg_get_serial_sequence('${table}', '${column}')` : `'${name}'`;
  return [
    ...(isOwned && !isIdentity ? [`ALTER SEQUENCE ${name} OWNED BY ${table}.${column}`] : []),
    // In a block, because psql would print the result.
    ...(last === null ? [] : [`DO $$ BEGIN PERFORM setval(${sequence}, ${last}); END $$`]),
  ];
}

/**
 * Tables whose rows are not in backups: answers stored for a repeat with the same Idempotency-Key are content and kept
 * only for hours, and the processes' use of upstream limits is valid only for a second.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'idempotent_calls',
  'idempotent_writes',
  'capacity_shares',
  'cached_answers',
  'cache_claims',
]);

/** Tables of prompts and answers, which a backup contains only when asked. */
const CONTENTS: ReadonlySet<string> = new Set(['call_contents', 'remembered_responses']);

export function isLeftOut(table: string): boolean {
  return LEFT_OUT.has(table);
}

/** Whether a statement of a backup copies such rows: older backups contain them. */
export function copiesLeftOutRows(statement: string): boolean {
  return isLeftOut(/^COPY (\S+) /.exec(statement)?.[1] ?? '');
}

/** The check of such a backup, without the rows that are left out. */
export function withoutLeftOutChecks(statement: string): string {
  if (!statement.startsWith('DO $check$')) return statement;
  const isForLeftOutRows = (line: string) =>
    isLeftOut(/^ {2}IF \(SELECT count\(\*\)::text FROM (\S+)\) /.exec(line)?.[1] ?? '');
  return statement
    .split('\n')
    .filter((line) => !isForLeftOutRows(line))
    .join('\n');
}
