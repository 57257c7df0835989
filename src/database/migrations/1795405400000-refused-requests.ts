import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/** The list of requests includes refused ones, with the requested model and the error message. */
export class RefusedRequests1795405400000 implements Migration {
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
}
