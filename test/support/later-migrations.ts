import { DataSource, type QueryRunner } from 'typeorm';
import {
  backfill,
  backfillTable,
  createIndexConcurrently,
  dropIndexConcurrently,
} from '../../src/database/migrations/growing-tables.js';
import type { Migration } from '../../src/database/migrations/migration.js';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';

/** Changes growing tables in every permitted way, whether or not the latest migrations do. */
class Sample2000000000000 implements Migration {
  readonly name = 'Sample2000000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['usage_calls', 'api_keys']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS sample bigint NOT NULL DEFAULT 0`);
      await runner.query(`ALTER TABLE ${table} ALTER sample SET DEFAULT 1`);
    }
    await backfillTable(runner, { table: 'usage_calls', set: 'sample = 1', where: 'sample = 0' });
    await backfill(
      runner,
      'UPDATE api_keys SET sample = 1 WHERE id = ANY (ARRAY(SELECT id FROM api_keys WHERE sample = 0 LIMIT 1000))',
    );
    for (const table of ['usage_calls', 'api_keys']) {
      await createIndexConcurrently(runner, { table, name: `${table}_sample`, definition: '(sample)' });
    }
    await dropIndexConcurrently(runner, 'usage_calls_errors');
    await runner.query('ALTER TABLE users DROP CONSTRAINT IF EXISTS users_sample_check');
    await runner.query("ALTER TABLE users ADD CONSTRAINT users_sample_check CHECK (name <> 'sample') NOT VALID");
    await runner.query('ALTER TABLE users VALIDATE CONSTRAINT users_sample_check');
  }
}

/** Those since the baseline, and the sample. */
export const LATER_MIGRATIONS: readonly (new () => Migration)[] = [...MIGRATIONS.slice(1), Sample2000000000000];

/** Creates the tables of the first release, without the SQL functions. */
export async function createBaseline(url: string): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', url, migrations: MIGRATIONS.slice(0, 1) });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
