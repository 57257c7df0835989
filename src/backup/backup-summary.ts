import type pg from 'pg';
import type { BackupSummary, Balance } from './backup.types.js';
import type { CopiedTable } from './schema-statements.js';

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
