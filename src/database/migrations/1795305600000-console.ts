import type { QueryRunner } from 'typeorm';
import { definitionOf } from '../schema/sql-functions.js';
import type { Migration } from './migration.js';

/** For the console: sessions, sign-in, one-time links, the audit log, and more columns of keys and users. */
export class Console1795305600000 implements Migration {
  readonly name = 'Console1795305600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD COLUMN oidc_issuer text,
        ADD COLUMN oidc_subject text,
        ADD COLUMN last_seen_at timestamptz,
        ADD UNIQUE (oidc_issuer, oidc_subject)`);
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN note text NOT NULL DEFAULT '',
        ADD COLUMN last_used_address text,
        ADD COLUMN last_used_agent text,
        ADD COLUMN last_used_model text,
        ADD COLUMN rotated_at timestamptz,
        ADD COLUMN previous_key_hash bytea UNIQUE CHECK (length(previous_key_hash) = 32),
        ADD COLUMN previous_display text,
        ADD COLUMN previous_expires_at timestamptz,
        ADD CHECK (kind IN ('user', 'playground'))`);
    await runner.query(`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        user_id uuid NOT NULL REFERENCES users (id),
        method text NOT NULL CHECK (method IN ('password', 'oidc', 'setup')),
        address text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sessions_user ON sessions (user_id)');
    await runner.query('CREATE INDEX sessions_expiry ON sessions (expires_at)');
    await runner.query(`
      CREATE TABLE one_time_links (
        token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
        user_id uuid NOT NULL REFERENCES users (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      )`);
    await runner.query('CREATE INDEX one_time_links_user ON one_time_links (user_id)');
    await runner.query(`
      CREATE TABLE oidc_sign_ins (
        state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
        browser_hash bytea NOT NULL,
        nonce text NOT NULL,
        code_verifier text NOT NULL,
        next text NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sign_in_limits (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`);
    await runner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'command_line', 'gateway', 'nobody')),
        actor_id uuid,
        actor_name text NOT NULL,
        action text NOT NULL,
        target_kind text NOT NULL,
        target_id text,
        target_name text NOT NULL DEFAULT '',
        before jsonb,
        after jsonb,
        address text,
        request_id text
      )`);
    await runner.query('CREATE INDEX audit_log_target ON audit_log (target_kind, target_id, id)');
    await runner.query('CREATE INDEX audit_log_actor ON audit_log (actor_id, id)');
    await runner.query('CREATE INDEX audit_log_at ON audit_log (at)');
    await runner.query(definitionOf('audit_log_is_append_only'));
    await runner.query(`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()`);
  }
}
