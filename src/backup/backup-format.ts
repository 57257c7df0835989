import type pg from 'pg';
import type { CopiedTable } from './schema-statements.js';

/*
 * A backup is an SQL script that psql can run, too: it creates the tables, fills them, checks the result, and commits.
 * The gateway restores it without psql, so each statement ends with a marker line.
 */

export const FORMAT = 1;
export const TITLE = '-- Chat Completion Gateway backup';
export const END_OF_STATEMENT = '\n--;\n';
export const END_OF_ROWS = '\n\\.\n';
export const BEGIN = 'BEGIN;';
export const COMMIT = 'COMMIT;';

/** Only for psql. */
export const STOP_ON_ERROR = '\\set ON_ERROR_STOP on';

/** The settings of a session affect how rows are written and read, so backups and restores use these. */
export const SESSION_SETTINGS = [
  "SET LOCAL client_encoding = 'UTF8'",
  "SET LOCAL datestyle = 'ISO'",
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL bytea_output = 'hex'",
  'SET LOCAL extra_float_digits = 1',
  'SET LOCAL standard_conforming_strings = on',
  'SET LOCAL statement_timeout = 0',
];

export function copyFrom(table: string, columns: readonly string[]): string {
  return `COPY ${table} (${columns.join(', ')}) FROM stdin;`;
}

export function isCopyFrom(line: string): boolean {
  return /^COPY .+ FROM stdin;$/.test(line);
}

/** The header of a backup: its origin, and what a restored database must contain. */
export interface BackupHead extends BackupSummary {
  /** Of the file format, not of the schema. */
  readonly format: number;
  /** The gateway's version that made the backup. */
  readonly program: string;
  readonly createdAt: string;
  /** The migrations of the schema, oldest first. */
  readonly migrations: readonly { readonly name: string; readonly program: string | null }[];
}

/** Counted before and after, to detect missing data. */
export interface BackupSummary {
  /** Rows of each table; rows of partitions count for their table. */
  readonly tables: Readonly<Record<string, number>>;
  readonly balances: readonly Balance[];
}

/** The usage of a user's key, from the ledger. */
interface Balance {
  readonly userId: string;
  readonly email: string | null;
  readonly keyId: string;
  readonly calls: number;
  readonly tokens: number;
  /** A decimal number; it can exceed a double. */
  readonly costNanodollars: string;
}

const BALANCES = `
  SELECT user_id AS "userId", coalesce(email, users.name) AS email, key_id AS "keyId", count(*)::float8 AS calls,
    sum(input_tokens + output_tokens)::float8 AS tokens, sum(cost_nanodollars)::text AS "costNanodollars"
  FROM usage_calls
  LEFT JOIN users ON users.id = user_id
  GROUP BY user_id, coalesce(email, users.name), key_id
  ORDER BY user_id, key_id`;

const TOTALS =
  'SELECT count(*) || $$ calls, $$ || coalesce(sum(cost_nanodollars), 0) || $$ nano-dollars$$ FROM usage_calls';

/** Counts and sums of a database, in the client's transaction. */
export async function summaryOf(
  client: pg.ClientBase,
  tables: readonly Pick<CopiedTable, 'name'>[],
): Promise<BackupSummary> {
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${name}`);
    counts[name] = rows[0]?.count ?? 0;
  }
  const { rows: balances } = await client.query<Balance>(BALANCES);
  return { tables: counts, balances };
}

/** The differences in words; empty if there are none. */
export function differences(expected: BackupSummary, found: BackupSummary): string[] {
  const tables = Object.keys({ ...expected.tables, ...found.tables })
    .filter((name) => expected.tables[name] !== found.tables[name])
    .map((name) => `table ${name}: ${found.tables[name] ?? 'no'} rows instead of ${expected.tables[name] ?? 'none'}`);
  const known = new Set(found.balances.map((balance) => JSON.stringify(balance)));
  const balances = expected.balances
    .filter((balance) => !known.has(JSON.stringify(balance)))
    .map(({ email, userId, keyId }) => `the balance of key ${keyId} of ${email ?? userId}`);
  return [...tables, ...balances];
}

/** The same check as a statement, for restores with psql: if rows are missing, it fails and nothing is restored. */
export function checkStatement({ tables, balances }: BackupSummary): string {
  const calls = balances.reduce((sum, balance) => sum + balance.calls, 0);
  const cost = balances.reduce((sum, { costNanodollars }) => sum + BigInt(costNanodollars), 0n);
  const checks = [
    ...Object.entries(tables).map(([name, rows]) => ({
      what: name,
      found: `SELECT count(*)::text FROM ${name}`,
      expected: String(rows),
    })),
    { what: 'usage_calls', found: TOTALS, expected: `${calls} calls, ${cost} nano-dollars` },
  ].map(
    ({ what, found, expected }) =>
      `  IF (${found}) <> '${expected}' THEN RAISE EXCEPTION 'the backup is incomplete: ${what}'; END IF;`,
  );
  return `DO $check$ BEGIN\n${checks.join('\n')}\nEND $check$`;
}
