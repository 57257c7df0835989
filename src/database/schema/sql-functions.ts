import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { DataSource } from 'typeorm';

/** Next to the modules that use the functions. Every file is named for its function. */
const FOLDERS = ['../../audit/sql/', '../../ledger/sql/', '../../usage/rollups/sql/'];

export interface SqlFunction {
  readonly name: string;
  /** `CREATE OR REPLACE FUNCTION …`, which is safe to repeat. */
  readonly definition: string;
  readonly digest: string;
}

export function sqlFunctions(): SqlFunction[] {
  return FOLDERS.flatMap((folder) => functionsIn(new URL(folder, import.meta.url)));
}

/** For migrations that need a function before all migrations have run, for example for a trigger. */
export function definitionOf(name: string): string {
  const found = sqlFunctions().find((one) => one.name === name);
  if (!found) throw new Error(`There is no file of the SQL function ${name}.`);
  return found.definition;
}

/** The functions that the database lacks or has with another text. */
export async function changedFunctions(client: pg.ClientBase): Promise<SqlFunction[]> {
  const { rows: found } = await client.query("SELECT 1 WHERE to_regclass('sql_functions') IS NOT NULL");
  if (found.length === 0) return sqlFunctions();
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM sql_functions');
  const installed = new Map(rows.map(({ name, digest }) => [name, digest]));
  return sqlFunctions().filter(({ name, digest }) => installed.get(name) !== digest);
}

/** Installs all or none. Running calls keep their version. */
export async function installFunctions(dataSource: DataSource, functions: readonly SqlFunction[]): Promise<void> {
  await dataSource.transaction(async (manager) => {
    for (const { name, definition, digest } of functions) {
      await manager.query(definition);
      await manager.query(
        'INSERT INTO sql_functions VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET digest = excluded.digest',
        [name, digest],
      );
    }
  });
}

function functionsIn(folder: URL): SqlFunction[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    // The same on every platform, whatever line endings Git uses.
    const definition = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
    return { name: file.replace('.sql', ''), definition, digest: sha256(definition) };
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
