import type pg from 'pg';
import { GATEWAY_VERSION } from '../../config/gateway-version.js';

export interface AppliedMigration {
  name: string;
  program: string | null;
}

/** Makes new rows of `migrations` name this program as their writer. */
export function schemaWriterDefault(): string {
  return `ALTER TABLE migrations ALTER COLUMN program SET DEFAULT '${GATEWAY_VERSION.replaceAll("'", "''")}'`;
}

/** Marks the migrations that follow as run by this program. Call it before they run, under the schema's lock. */
export async function signSchema(client: pg.ClientBase): Promise<void> {
  const applied = await appliedMigrations(client);
  if (applied.some(({ program }) => program !== null)) await client.query(schemaWriterDefault());
}

export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query("SELECT 1 WHERE to_regclass('migrations') IS NOT NULL");
  if (found.length === 0) return [];
  // The column was added after the table.
  const { rows } = await client.query<AppliedMigration>(
    "SELECT name, to_jsonb(migrations) ->> 'program' AS program FROM migrations ORDER BY timestamp",
  );
  return rows;
}

/** Throws when there is a migration that this program does not know. `what` names its owner. */
export function refuseNewerSchema(applied: readonly AppliedMigration[], known: readonly string[], what: string): void {
  const newest = applied.filter(({ name }) => !known.includes(name)).at(-1);
  if (!newest) return;
  const writer = newest.program === null ? 'a newer version' : `version ${newest.program}`;
  throw new Error(
    `${what} was written by ${writer} of the gateway and has migrations that this one (${GATEWAY_VERSION}) does not know ` +
      `(${newest.name}): start that version or a later one, or restore a backup from before the upgrade`,
  );
}
