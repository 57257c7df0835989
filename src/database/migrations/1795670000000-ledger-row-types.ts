import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * The types of the rows that a gateway sends to the ledger, in Postgres' binary format. Gateways of two versions may run
 * side by side, so a type never changes: further columns need another type.
 */
export class LedgerRowTypes1795670000000 implements Migration {
  readonly name = 'LedgerRowTypes1795670000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TYPE usage_opening AS (${OPENING})`);
    await runner.query(`CREATE TYPE usage_closing AS (${OPENING}, ${ENDING})`);
  }
}

const OPENING = `id text, started_at timestamptz, request_id text, key_id uuid, key_display text, user_id uuid, plan_id text,
  model text, stream boolean, simulated boolean, estimated_input_tokens bigint, price_version text, limited_by uuid[],
  reserved_nanodollars bigint`;

const ENDING = `status text, served_model text, upstream text, upstream_model text, finish_reason text, error_code text,
  input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, token_source text,
  cost_nanodollars bigint, attempts jsonb, first_token_ms int, total_ms int`;
