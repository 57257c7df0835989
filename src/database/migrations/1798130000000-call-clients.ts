import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/** What the gateway writes when a call begins. */
const OPENING = `id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid,
  plan_id text, model text, api text, client_address text, user_agent text, stream boolean, simulated boolean,
  estimated_input_tokens bigint, prompt_nanodollars bigint, price_version text, limited_by uuid[],
  reserved_nanodollars bigint`;

/** And when it has ended. */
const ENDING = `status text, served_model text, upstream text, upstream_model text, finish_reason text, error_code text,
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, token_source text,
  cost_nanodollars bigint, charge jsonb, attempts jsonb, first_token_ms int, total_ms int, answer_id text,
  http_status int`;

/**
 * Who called, and what the client got: its address and user agent, the status, and the id of the answer if it is the
 * provider's own. Older gateways go on with the row types that they know.
 */
export class CallClients1798130000000 implements Migration {
  readonly name = 'CallClients1798130000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const client = 'ADD COLUMN IF NOT EXISTS client_address text, ADD COLUMN IF NOT EXISTS user_agent text';
    await runner.query(`ALTER TABLE recent_errors ${client}`);
    await runner.query(
      `ALTER TABLE usage_calls ${client}, ADD COLUMN IF NOT EXISTS answer_id text, ADD COLUMN IF NOT EXISTS http_status int`,
    );
    await createType(runner, 'usage_opening', OPENING);
    await createType(runner, 'usage_closing', `${OPENING}, ${ENDING}`);
    await createIndexConcurrently(runner, {
      table: 'usage_calls',
      name: 'usage_calls_answer',
      definition: '(answer_id) WHERE answer_id IS NOT NULL',
    });
  }
}

function createType(runner: QueryRunner, name: string, columns: string): Promise<unknown> {
  return runner.query(
    `DO $$ BEGIN CREATE TYPE ${name} AS (${columns}); EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
  );
}
