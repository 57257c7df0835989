import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';

/** A refused call is shown among the requests: with what was asked for, and what was said. */
export class RefusedRequests1795405400000 implements MigrationInterface {
  readonly name = 'RefusedRequests1795405400000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE recent_errors ADD COLUMN IF NOT EXISTS asked_model text, ADD COLUMN IF NOT EXISTS message text',
    );
    await createIndexConcurrently(runner, {
      table: 'recent_errors',
      name: 'recent_errors_by_time',
      definition: '(at DESC, id DESC)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX recent_errors_by_time');
    await runner.query('ALTER TABLE recent_errors DROP COLUMN asked_model, DROP COLUMN message');
  }
}
