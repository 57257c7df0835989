import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Calls are charged what they used, even beyond what was reserved. A call whose process died is charged its prompt. */
export class ChargedInFull1795801000000 implements Migration {
  readonly name = 'ChargedInFull1795801000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD prompt_nanodollars bigint, ADD charge jsonb');
    await runner.query(`CREATE TYPE usage_call_opening AS (${OPENING})`);
    await runner.query(`CREATE TYPE usage_call_closing AS (${OPENING}, ${ENDING})`);
  }
}

const OPENING = `id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, stream boolean, simulated boolean, estimated_input_tokens bigint, prompt_nanodollars bigint,
  price_version text, limited_by uuid[], reserved_nanodollars bigint`;

const ENDING = `status text, served_model text, upstream text, upstream_model text, finish_reason text, error_code text,
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, token_source text,
  cost_nanodollars bigint, charge jsonb, attempts jsonb, first_token_ms int, total_ms int`;
