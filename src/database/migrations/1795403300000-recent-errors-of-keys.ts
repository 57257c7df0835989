import type { QueryRunner } from 'typeorm';
import { backfill, createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/** Recent errors are kept per key; errors without a key are only counted. */
export class RecentErrorsOfKeys1795403300000 implements Migration {
  readonly name = 'RecentErrorsOfKeys1795403300000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await backfill(
      runner,
      `DELETE FROM recent_errors
       WHERE id = ANY (ARRAY(SELECT id FROM recent_errors WHERE key_id IS NULL ORDER BY id LIMIT 5000))`,
    );
    await createIndexConcurrently(runner, {
      table: 'recent_errors',
      name: 'recent_errors_of_key',
      definition: '(key_id, id)',
    });
  }
}
