import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * Answers that equal calls get again, the calls whose answers others wait for, and how often and how much it saved.
 * `owner_id`: a project, else a user; of an answer, null: the company. `cache_seconds`: 0 is none, null as the model says.
 */
export class AnswerCache1797700000000 implements Migration {
  readonly name = 'AnswerCache1797700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE cached_answers (
        key bytea NOT NULL,
        form text NOT NULL CHECK (form IN ('any', 'json', 'stream')),
        owner_id uuid,
        model text NOT NULL,
        secret_id text NOT NULL,
        content bytea NOT NULL,
        bytes integer NOT NULL,
        stored_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz NOT NULL,
        PRIMARY KEY (key, form)
      )`);
    await runner.query('ALTER TABLE cached_answers ALTER COLUMN content SET STORAGE EXTERNAL');
    await runner.query('CREATE INDEX cached_answers_owner ON cached_answers (owner_id)');
    await runner.query(`
      CREATE UNLOGGED TABLE cache_claims (
        key bytea PRIMARY KEY,
        call_id text NOT NULL,
        instance_id bigint NOT NULL,
        at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE cache_days (
        day date NOT NULL,
        model text NOT NULL,
        owner_id uuid NOT NULL,
        hits bigint NOT NULL,
        misses bigint NOT NULL,
        saved_nanodollars bigint NOT NULL,
        PRIMARY KEY (day, model, owner_id)
      )`);
    await runner.query('ALTER TABLE projects ADD COLUMN cache_seconds integer');
    await runner.query('ALTER TABLE api_keys ADD COLUMN cache_seconds integer');
  }
}
