import type pg from 'pg';
import { CONTENT, isLeftOut } from './left-out-rows.js';
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

/** `withContent`: the rows of the content log are copied, too. */
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
      .filter(({ parent, name }) => parent === null && !isLeftOut(name) && (withContent || name !== CONTENT))
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
