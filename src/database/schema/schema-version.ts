import type pg from 'pg';
import { GATEWAY_VERSION } from '../../config/environment.js';

/** The last build with the migrations that the baseline replaced. */
const LAST_BEFORE_BASELINE = '0.1.0+7a4ddf7bb325';

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

/** Throws when this program cannot upgrade a schema. `known`: its migrations, with the baseline first. */
export function refuseOtherSchema(
  applied: readonly AppliedMigration[],
  known: readonly string[],
  what: 'the database' | 'the backup',
): void {
  const [baseline = ''] = known;
  const newest = applied.filter(({ name }) => !known.includes(name) && !(timeOf(name) <= timeOf(baseline))).at(-1);
  if (newest) {
    const writer = newest.program === null ? 'a newer version' : `version ${newest.program}`;
    throw new Error(
      `${what} was written by ${writer} of the gateway and has migrations that this one (${GATEWAY_VERSION}) does not know ` +
        `(${newest.name}): start that version or a later one, or restore a backup from before the upgrade`,
    );
  }
  const last = applied.at(-1);
  if (!last || applied.some(({ name }) => name === baseline)) return;
  const first = what === 'the database' ? 'start' : 'restore it with, and start,';
  throw new Error(
    `${what} is from before the first release (its last migration is ${last.name}), and this version (${GATEWAY_VERSION}) ` +
      `cannot upgrade it: ${first} version ${LAST_BEFORE_BASELINE} first, then this one`,
  );
}

/** NaN if there is none. */
function timeOf(name: string): number {
  return Number(name.slice(-13));
}
