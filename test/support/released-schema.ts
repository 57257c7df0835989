import { readFileSync } from 'node:fs';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Migration } from '../../src/database/migrations/migration.js';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';

/** The last migration of the released version. */
const RELEASED = 1795681000000;
const SCHEMA = new URL('released-schema.sql', import.meta.url);

/** The migrations that the released version does not have. */
export const MIGRATIONS_SINCE_RELEASE = MIGRATIONS.filter(({ name }) => Number(name.slice(-13)) > RELEASED);

/** Creates the schema of the released version from a dump of it, independently of the current migrations. */
export async function createReleasedSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(readFileSync(SCHEMA, 'utf8'));
    await client.query('UPDATE usage_rollup_state SET server = system_identifier FROM pg_control_system()');
  } finally {
    await client.end();
  }
}

/** Runs migrations, as every version does. SQL functions come later, see `MigrationRunner`. */
export async function migrate(url: string, migrations: readonly (new () => Migration)[]): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', url, migrations: [...migrations] });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
