import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** One-time tokens that create the first administrator. */
export class Setup1795312800000 implements Migration {
  readonly name = 'Setup1795312800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setup_tokens (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        expires_at timestamptz NOT NULL
      )`);
  }
}
