import type { QueryRunner } from 'typeorm';
import { backfillTable, createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/** Refused calls are counted by user and API, so that reports can tell them apart, and are found by their request's id. */
export class RefusedByWhom1796700000000 implements Migration {
  readonly name = 'RefusedByWhom1796700000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE refused_calls ADD COLUMN IF NOT EXISTS user_id uuid, ADD COLUMN IF NOT EXISTS api text',
    );
    await createIndexConcurrently(runner, {
      table: 'refused_calls',
      name: 'refused_calls_counted',
      definition: '(hour, key_id, model, status, code, api) NULLS NOT DISTINCT',
      unique: true,
    });
    await runner.query(
      'ALTER TABLE refused_calls DROP CONSTRAINT IF EXISTS refused_calls_hour_key_id_model_status_code_key',
    );
    await backfillTable(runner, {
      table: 'refused_calls',
      set: 'user_id = (SELECT user_id FROM api_keys WHERE id = key_id)',
      where: 'user_id IS NULL AND EXISTS (SELECT FROM api_keys WHERE id = key_id)',
    });
    await createIndexConcurrently(runner, {
      table: 'refused_calls',
      name: 'refused_calls_of_user',
      definition: '(user_id, hour)',
    });
    await createIndexConcurrently(runner, {
      table: 'recent_errors',
      name: 'recent_errors_request',
      definition: '(request_id)',
    });
  }
}
