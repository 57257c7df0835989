import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { createBaseline, LATER_MIGRATIONS } from '../../../test/support/later-migrations.js';
import { faultOf, madeBy } from '../../../test/support/migration-rules.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';

/** An index on an empty table is created in the usual way. */
const ROWS = `
  CREATE TABLE usage_calls_default PARTITION OF usage_calls DEFAULT;
  INSERT INTO users (email, name, role) VALUES ('alice@example.com', 'Alice', 'member');
  INSERT INTO api_keys (user_id, name, key_hash, display) SELECT id, 'k', sha256('k'), 'd' FROM users;
  INSERT INTO limit_balances (id, kind, at) VALUES (gen_random_uuid(), 'user', now());
  INSERT INTO recent_errors (at, request_id, status, code) VALUES (now(), 'r', 429, 'c');
  INSERT INTO refused_calls (hour, status, code, calls) VALUES (now(), 429, 'c', 1);
  INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
  price_version) VALUES ('call', now(), 1, 'r', gen_random_uuid(), gen_random_uuid(), 'free', 'm', false, 'settled', 'p')`;

describe('the rules of migrations for growing tables', () => {
  describe('every migration since the baseline', () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    let runner: QueryRunner;
    let statements: string[] = [];

    beforeAll(async () => {
      database = await createTestDatabase();
      await createBaseline(database.url);
      await database.query(ROWS);
      dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
      runner = dataSource.createQueryRunner();
      const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
      const recorded = (sql: string, ...rest: unknown[]) => {
        statements.push(sql);
        return query(sql, ...rest);
      };
      Object.assign(runner, { query: recorded });
    });
    afterAll(async () => {
      await runner?.release();
      await dataSource?.destroy();
    });

    it.each(LATER_MIGRATIONS.map((Migration) => ({ name: Migration.name, Migration })))(
      '$name has no statement that would make calls wait',
      async ({ Migration }) => {
        const migration = new Migration();
        statements = [];
        if (migration.transaction !== false) await runner.startTransaction();
        await migration.up(runner);
        if (migration.transaction !== false) await runner.commitTransaction();
        expect(statements.length).toBeGreaterThan(0);
        const made = statements.map(madeBy).filter((table) => table !== null);
        expect(statements.map((statement) => faultOf(statement, made)).filter((fault) => fault !== null)).toEqual([]);
      },
    );
  });

  it.each([
    ['CREATE INDEX x ON usage_calls (model)', 'createIndexConcurrently()'],
    ['CREATE UNIQUE INDEX IF NOT EXISTS x\n ON public.api_keys (name)', 'createIndexConcurrently()'],
    ['CREATE INDEX ON usage_calls_2026_11 (model)', 'createIndexConcurrently()'],
    ['REINDEX TABLE audit_log', 'CONCURRENTLY'],
    ['CLUSTER usage_calls USING usage_calls_key', 'rewrites'],
    ['VACUUM FULL', 'rewrites'],
    ['VACUUM (FULL, ANALYZE) sessions', 'rewrites'],
    ['LOCK TABLE usage_calls IN SHARE MODE', 'makes calls wait'],
    ['UPDATE usage_calls SET model = lower(model)', 'backfill'],
    ["DO $$ BEGIN UPDATE api_keys SET note = ''; END $$", 'backfill'],
    ['DELETE FROM recent_errors WHERE key_id IS NULL', 'backfill'],
    ['WITH gone AS (DELETE FROM refused_calls RETURNING *) INSERT INTO x SELECT * FROM gone', 'backfill'],
    ['ALTER TABLE usage_calls ALTER COLUMN total_ms TYPE bigint', 'rewrites'],
    ['ALTER TABLE usage_calls ADD note text, ALTER total_ms SET DATA TYPE bigint', 'rewrites'],
    ['ALTER TABLE api_keys ALTER note SET NOT NULL', 'NOT VALID'],
    ['ALTER TABLE usage_calls ADD CONSTRAINT c CHECK (total_ms >= 0)', 'NOT VALID'],
    ['ALTER TABLE sessions ADD FOREIGN KEY (user_id) REFERENCES users (id)', 'NOT VALID'],
    ['ALTER TABLE api_keys ADD CONSTRAINT c UNIQUE (name)', 'USING INDEX'],
    ['ALTER TABLE api_keys ADD COLUMN a bytea UNIQUE', 'scans'],
    ['ALTER TABLE api_keys ADD COLUMN a int CHECK (a > 0)', 'scans'],
    ['ALTER TABLE usage_calls ADD a uuid NOT NULL DEFAULT gen_random_uuid()', 'differs by row'],
    ['ALTER TABLE usage_calls ADD a int DEFAULT 0, ADD b timestamptz DEFAULT clock_timestamp()', 'differs by row'],
    ['ALTER TABLE audit_log ADD a bigint GENERATED ALWAYS AS IDENTITY', 'rewrites'],
    ['ALTER TABLE audit_log ADD a text GENERATED ALWAYS AS (lower(action)) STORED', 'rewrites'],
    ['ALTER TABLE idempotent_calls SET UNLOGGED', 'rewrites'],
  ])('refuses %s', (statement, remedy) => {
    expect(faultOf(statement)).toContain(remedy);
  });

  it.each([
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS x ON usage_calls_2026_11 (model)',
    'CREATE INDEX x ON ONLY usage_calls (model)',
    'CREATE INDEX x ON plans (name)',
    "ALTER TABLE usage_calls ADD a bigint NOT NULL DEFAULT 0, ADD b jsonb DEFAULT '{}'::jsonb, ADD c text",
    'ALTER TABLE alerts ADD since timestamptz NOT NULL DEFAULT now()',
    'ALTER TABLE usage_calls ALTER note SET DEFAULT gen_random_uuid()::text, DROP CONSTRAINT c',
    'ALTER TABLE usage_calls ADD CONSTRAINT c CHECK (total_ms IN (1, 2)) NOT VALID',
    'ALTER TABLE usage_calls VALIDATE CONSTRAINT c',
    'ALTER TABLE api_keys ADD CONSTRAINT c UNIQUE USING INDEX x',
    "UPDATE usage_calls_2026_11 SET a = 1 WHERE ctid >= '(0,0)' AND ctid < '(128,0)' AND (a = 0)",
    'UPDATE api_keys SET a = 1 WHERE id = ANY (ARRAY(SELECT id FROM api_keys WHERE a = 0 LIMIT 1000))',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE usage_calls SET a = 1 $$',
  ])('allows %s', (statement) => {
    expect(faultOf(statement)).toBeNull();
  });

  it('allows everything on a table that the same migration creates', () => {
    const made = [madeBy('CREATE TABLE IF NOT EXISTS stripe_charges (id text)') ?? ''];
    expect(faultOf('CREATE INDEX x ON stripe_charges (id)', made)).toBeNull();
    expect(faultOf('CREATE INDEX x ON stripe_events (id)', made)).not.toBeNull();
  });
});
