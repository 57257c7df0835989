import type { MigrationInterface, QueryRunner } from 'typeorm';
import { backfillTable, createIndexConcurrently } from './growing-tables.js';

/**
 * What a roll-up tells apart: `all` the status, `model` also model and upstream, `key` key and user,
 * `call` key, user, model and upstream, `failure` all of that for calls that were not settled. And its size in quarter-hours; each size is a table, so that what is read together lies together.
 */
const KINDS = ['all', 'model', 'key', 'call', 'failure'];
const SIZES = [1, 4, 24, 96, 768];

const INDEXES = [
  { name: 'usage_calls_changed', definition: "(changed_in) WHERE status <> 'open'" },
  { name: 'usage_calls_interrupted', definition: '(interrupted_in) WHERE interrupted_in IS NOT NULL' },
  { name: 'usage_calls_closed', definition: "(started_at) WHERE status <> 'open'" },
  { name: 'usage_calls_errors', definition: "(started_at) WHERE status IN ('failed', 'interrupted')" },
];

/**
 * Sums of the ledger by quarter-hour and coarser, and how they keep up with it: each row says in which transaction it
 * was closed (`changed_in`), and, if it was taken for interrupted before that, in which (`interrupted_in`).
 */
export class UsageRollups1795309200000 implements MigrationInterface {
  readonly name = 'UsageRollups1795309200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usage_calls ADD COLUMN IF NOT EXISTS changed_in bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS interrupted_in bigint`);
    await runner.query(`
      ALTER TABLE usage_calls ALTER changed_in SET DEFAULT pg_current_xact_id()::text::bigint + 10000000000`);
    // Spread over many numbers, so that what was there before is rolled up in portions; transactions get higher ones.
    await backfillTable(runner, {
      table: 'usage_calls',
      set: 'changed_in = greatest(1, extract(epoch FROM started_at)::bigint)',
      where: 'changed_in = 0',
    });
    for (const index of INDEXES) await createIndexConcurrently(runner, { table: 'usage_calls', ...index });
    await runner.query(`
      CREATE TABLE IF NOT EXISTS usage_rollup_state (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        rolled_up_to bigint NOT NULL DEFAULT 0,
        rolled_up_at timestamptz NOT NULL DEFAULT 'epoch',
        xid_offset bigint NOT NULL,
        server bigint NOT NULL
      )`);
    await runner.query(`
      INSERT INTO usage_rollup_state (xid_offset, server)
      SELECT 10000000000, system_identifier FROM pg_control_system() ON CONFLICT DO NOTHING`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS usage_groups (
        id bigint PRIMARY KEY,
        kind text NOT NULL,
        user_id uuid,
        key_id uuid,
        model text,
        upstream text,
        status text
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS usage_groups_user ON usage_groups (user_id, kind)');
    await runner.query('CREATE INDEX IF NOT EXISTS usage_groups_key ON usage_groups (key_id, kind)');
    for (const kind of KINDS) {
      await runner.query(`
        CREATE TABLE IF NOT EXISTS usage_rollups_${kind} (
          quarters smallint NOT NULL,
          slot int NOT NULL,
          group_id bigint NOT NULL,
          calls bigint NOT NULL,
          errors bigint NOT NULL,
          aborted bigint NOT NULL,
          input_tokens bigint NOT NULL,
          cached_tokens bigint NOT NULL,
          output_tokens bigint NOT NULL,
          reasoning_tokens bigint NOT NULL,
          cost_nanodollars bigint NOT NULL,
          total_ms bytea NOT NULL,
          first_token_ms bytea NOT NULL,
          PRIMARY KEY (quarters, group_id, slot)
        ) PARTITION BY LIST (quarters)`);
      await runner.query(`CREATE INDEX IF NOT EXISTS usage_rollups_${kind}_slot ON usage_rollups_${kind} (slot)`);
      for (const size of SIZES) {
        await runner.query(`
          CREATE TABLE IF NOT EXISTS usage_rollups_${kind}_${size} PARTITION OF usage_rollups_${kind} FOR VALUES IN (${size})
          WITH (fillfactor = 80)`);
      }
    }
    await runner.query(HISTOGRAM_OF_ONE);
    await runner.query(MERGED_HISTOGRAM);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION usage_merged(bytea)');
    await runner.query('DROP FUNCTION usage_histogram(int)');
    for (const kind of KINDS) await runner.query(`DROP TABLE usage_rollups_${kind}`);
    await runner.query('DROP TABLE usage_groups, usage_rollup_state');
    await runner.query('DROP INDEX usage_calls_errors, usage_calls_closed');
    await runner.query('ALTER TABLE usage_calls DROP changed_in, DROP interrupted_in');
  }
}

/**
 * A histogram is a string of entries of four bytes in any order: the bucket, and how often it occurs (three bytes). So
 * two are added by writing one behind the other. Bucket 0 holds 0 ms, bucket n what is from 1.1^(n-1) ms until before 1.1^n.
 */
const HISTOGRAM_OF_ONE = `
  CREATE OR REPLACE FUNCTION usage_histogram(ms int) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT set_byte('\\x00000001', 0,
      CASE WHEN ms < 1 THEN 0 ELSE least(255, 1 + floor(ln(ms::float8) / ln(1.1::float8))::int) END)
  $$`;

/** The same histogram, written as short as can be. */
const MERGED_HISTOGRAM = `
  CREATE OR REPLACE FUNCTION usage_merged(histogram bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(string_agg(
      set_byte(int4send(least(16777215, total - part * 16777215)::int), 0, bucket), '' ORDER BY bucket, part), '')
    FROM (
      SELECT get_byte(histogram, entry) AS bucket,
        sum(get_byte(histogram, entry + 1) * 65536 + get_byte(histogram, entry + 2) * 256 + get_byte(histogram, entry + 3)) AS total
      FROM generate_series(0, length(histogram) - 4, 4) AS entry
      GROUP BY 1
    ) AS buckets
    CROSS JOIN LATERAL generate_series(0, (total - 1) / 16777215) AS part
  $$`;
