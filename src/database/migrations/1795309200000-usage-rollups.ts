import type { QueryRunner } from 'typeorm';
import { backfillTable, createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/**
 * What a roll-up groups by: `all` by status, `model` also by model and upstream, `key` by key and user, `call` by key, user,
 * model and upstream, `failure` by all of these for calls that were not settled.
 */
const KINDS = ['all', 'model', 'key', 'call', 'failure'];
/** In quarter-hours. Each size has its own table, so that rows that are read together lie together. */
const SIZES = [1, 4, 24, 96, 768];

const INDEXES = [
  { name: 'usage_calls_changed', definition: "(changed_in) WHERE status <> 'open'" },
  { name: 'usage_calls_interrupted', definition: '(interrupted_in) WHERE interrupted_in IS NOT NULL' },
  { name: 'usage_calls_closed', definition: "(started_at) WHERE status <> 'open'" },
  { name: 'usage_calls_errors', definition: "(started_at) WHERE status IN ('failed', 'interrupted')" },
];

/**
 * Sums of the ledger by quarter-hour and longer periods, and what keeps them up to date: each call has the number of the
 * transaction that closed it (`changed_in`), and of the one that closed it as interrupted before, if any (`interrupted_in`).
 */
export class UsageRollups1795309200000 implements Migration {
  readonly name = 'UsageRollups1795309200000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usage_calls ADD COLUMN IF NOT EXISTS changed_in bigint NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS interrupted_in bigint`);
    await runner.query(`
      ALTER TABLE usage_calls ALTER changed_in SET DEFAULT pg_current_xact_id()::text::bigint + 10000000000`);
    // Spread over many numbers, so that existing rows are rolled up in portions. Transactions get higher numbers.
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
  }
}
