import { DataSource, type MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../src/database/migrations/migrations.js';

/** The last migration of the released version. */
const RELEASED = 1795681000000;

/** What the released version's schema consists of. */
export const RELEASED_MIGRATIONS = MIGRATIONS.filter(({ name }) => Number(name.slice(-13)) <= RELEASED);

/** Runs migrations, as every version does. */
export async function migrate(url: string, migrations: readonly (new () => MigrationInterface)[]): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', url, migrations: [...migrations] });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}
