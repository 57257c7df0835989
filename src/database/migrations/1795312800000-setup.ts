import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The one-time tokens with which the first administrator is made. */
export class Setup1795312800000 implements MigrationInterface {
  readonly name = 'Setup1795312800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setup_tokens (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE setup_tokens');
  }
}
