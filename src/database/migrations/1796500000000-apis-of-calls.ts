import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Older rows, and those of older gateways that still run, have the API that was once the only one. */
const API = "api text NOT NULL DEFAULT 'chat.completions'";

/** For rows and groups that have no single API. */
const API_OR_NONE = "api text DEFAULT 'chat.completions'";

/** Calls and their sums name the API by which the client called, for example `responses`. */
export class ApisOfCalls1796500000000 implements Migration {
  readonly name = 'ApisOfCalls1796500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE usage_calls ADD ${API}`);
    for (const table of ['usage_hours', 'usage_call_days']) await runner.query(`ALTER TABLE ${table} ADD ${API}`);
    for (const table of ['usage_key_days', 'usage_groups', 'recent_errors']) {
      await runner.query(`ALTER TABLE ${table} ADD ${API_OR_NONE}`);
    }
    await runner.query(`CREATE TYPE usage_row_opening AS (${OPENING})`);
    await runner.query(`CREATE TYPE usage_row_closing AS (${OPENING}, ${ENDING})`);
  }
}

const OPENING = `id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, api text, stream boolean, simulated boolean, estimated_input_tokens bigint, prompt_nanodollars bigint,
  price_version text, limited_by uuid[], reserved_nanodollars bigint`;

const ENDING = `status text, served_model text, upstream text, upstream_model text, finish_reason text, error_code text,
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, token_source text,
  cost_nanodollars bigint, charge jsonb, attempts jsonb, first_token_ms int, total_ms int`;
