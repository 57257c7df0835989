import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/**
 * One index by hour, user and key in place of those by key and by user: new entries go to the few pages of the present hour
 * instead of pages all over the index.
 */
export class LedgerHours1795920000002 implements Migration {
  readonly name = 'LedgerHours1795920000002';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      table: 'usage_calls',
      name: 'usage_calls_hour',
      definition: `(date_bin('1 hour', started_at, '2000-01-01 00:00:00+00'::timestamptz), user_id, key_id)
        WHERE status <> 'open'`,
    });
    await dropIndexConcurrently(runner, 'usage_calls_key');
    await dropIndexConcurrently(runner, 'usage_calls_user');
    await createIndexConcurrently(runner, {
      table: 'recent_errors',
      name: 'recent_errors_of_user',
      definition: '(user_id, at DESC, id DESC)',
    });
  }
}
