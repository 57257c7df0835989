import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** People, keys, plans, grants and the usage ledger. */
export class Foundation1795219200000 implements Migration {
  readonly name = 'Foundation1795219200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        email text NOT NULL UNIQUE CHECK (email = lower(email)),
        name text NOT NULL DEFAULT '',
        role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member')),
        kind text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'service')),
        password_hash text,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id uuid NOT NULL REFERENCES users (id),
        name text NOT NULL,
        kind text NOT NULL DEFAULT 'user',
        key_hash bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
        display text NOT NULL,
        models text[],
        addresses text[],
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        disabled_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz
      )`);
    await runner.query('CREATE INDEX api_keys_user ON api_keys (user_id, created_at)');
    await runner.query(`
      CREATE TABLE plans (
        id text PRIMARY KEY,
        name text NOT NULL,
        tiers text[] NOT NULL,
        rank int NOT NULL UNIQUE
      )`);
    await runner.query(`
      INSERT INTO plans (id, name, tiers, rank)
      VALUES ('free', 'Free', '{free}', 0), ('pro', 'Pro', '{free,pro}', 100)`);
    await runner.query(`
      CREATE TABLE plan_grants (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id uuid NOT NULL REFERENCES users (id),
        plan_id text NOT NULL REFERENCES plans (id),
        starts_at timestamptz NOT NULL DEFAULT now(),
        ends_at timestamptz,
        source text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CHECK (ends_at >= starts_at)
      )`);
    await runner.query('CREATE INDEX plan_grants_user ON plan_grants (user_id, ends_at)');
    await runner.query(`
      CREATE TABLE usage_calls (
        id text NOT NULL,
        started_at timestamptz NOT NULL,
        instance_id bigint NOT NULL,
        request_id text NOT NULL,
        key_id uuid NOT NULL,
        user_id uuid NOT NULL,
        plan_id text NOT NULL,
        model text NOT NULL,
        upstream text,
        upstream_model text,
        simulated boolean NOT NULL DEFAULT false,
        stream boolean NOT NULL,
        status text NOT NULL CHECK (status IN ('open', 'settled', 'failed', 'aborted', 'interrupted')),
        finish_reason text,
        error_code text,
        input_tokens bigint NOT NULL DEFAULT 0,
        cached_tokens bigint NOT NULL DEFAULT 0,
        output_tokens bigint NOT NULL DEFAULT 0,
        reasoning_tokens bigint NOT NULL DEFAULT 0,
        token_source text CHECK (token_source IN ('reported', 'estimated')),
        price_version text NOT NULL,
        reserved_nanodollars bigint NOT NULL DEFAULT 0,
        cost_nanodollars bigint NOT NULL DEFAULT 0,
        attempts jsonb NOT NULL DEFAULT '[]',
        first_token_ms int,
        total_ms int,
        PRIMARY KEY (id, started_at)
      ) PARTITION BY RANGE (started_at)`);
    await runner.query('CREATE TABLE usage_calls_default PARTITION OF usage_calls DEFAULT');
    await runner.query("CREATE INDEX usage_calls_open ON usage_calls (instance_id) WHERE status = 'open'");
    await runner.query('CREATE INDEX usage_calls_key ON usage_calls (key_id, started_at)');
    await runner.query('CREATE INDEX usage_calls_user ON usage_calls (user_id, started_at)');
    await runner.query(`
      CREATE TABLE refused_calls (
        hour timestamptz NOT NULL,
        key_id uuid,
        model text,
        status int NOT NULL,
        code text NOT NULL,
        calls bigint NOT NULL,
        UNIQUE NULLS NOT DISTINCT (hour, key_id, model, status, code)
      )`);
    await runner.query(`
      CREATE TABLE recent_errors (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL,
        request_id text NOT NULL,
        key_id uuid,
        user_id uuid,
        model text,
        status int NOT NULL,
        code text NOT NULL
      )`);
  }
}
