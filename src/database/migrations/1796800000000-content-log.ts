import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Prompts and answers of keys and projects that opted in, encrypted. Encrypted bytes cannot be compressed. */
export class ContentLog1796800000000 implements Migration {
  readonly name = 'ContentLog1796800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD logs_content boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE projects ADD logs_content boolean NOT NULL DEFAULT false');
    await runner.query(`
      CREATE TABLE call_contents (
        call_id text PRIMARY KEY,
        at timestamptz NOT NULL,
        key_id uuid NOT NULL,
        user_id uuid NOT NULL,
        secret_id text NOT NULL,
        content bytea NOT NULL
      )`);
    await runner.query('ALTER TABLE call_contents ALTER content SET STORAGE EXTERNAL');
    await runner.query('CREATE INDEX call_contents_at ON call_contents (at)');
  }
}
