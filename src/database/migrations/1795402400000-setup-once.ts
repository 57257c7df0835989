import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Set-up happens once and has one token at a time; email addresses are lower-cased in ASCII only. */
export class SetupOnce1795402400000 implements Migration {
  readonly name = 'SetupOnce1795402400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE setup (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        done_at timestamptz,
        token_hash bytea CHECK (length(token_hash) = 32),
        token_expires_at timestamptz,
        CHECK (done_at IS NULL OR token_hash IS NULL)
      )`);
    await runner.query(`
      INSERT INTO setup (done_at)
      SELECT CASE WHEN EXISTS (SELECT FROM users WHERE role = 'admin')
                    OR EXISTS (SELECT FROM audit_log WHERE action = 'setup.complete') THEN now() END`);
    await runner.query('DROP TABLE setup_tokens');
    await runner.query('ALTER TABLE users DROP CONSTRAINT users_email_check');
    await runner.query('ALTER TABLE users ADD CONSTRAINT users_email_check CHECK (email = lower(email COLLATE "C"))');
  }
}
