import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** What calls need of their limits, and the limit that refused one, as rows instead of JSON. */
export class LimitTypes1797200000000 implements Migration {
  readonly name = 'LimitTypes1797200000000';
  readonly functions = '569df521cd397dfa668a84d0e398ea0c0bb6e03a57e1c2e490b98cffeb5300fc';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TYPE limit_demand AS (
      id uuid, kind text, requests_per_minute bigint, tokens_per_minute bigint, concurrent_calls bigint, budget_day bigint,
      budget_month bigint, budget_total bigint, calls int, tokens bigint, nanodollars bigint, must_remain bigint)`);
    await runner.query(`CREATE TYPE limit_call AS (
      place int, id text, started_at timestamptz, balances int[], tokens bigint, prompt_price numeric, token_price numeric,
      nanodollars bigint, ceiling bigint, is_own_ceiling boolean)`);
    // `needed`: requests, tokens, concurrent calls or nano-dollars. `seconds`: null for budgets. `remaining`: nano-dollars.
    // `lasting`: calls that end do not change it.
    await runner.query(`CREATE TYPE limit_refusal AS (
      name text, balance uuid, needed bigint, seconds float8, remaining bigint, lasting boolean)`);
    for (const unused of ['usage_opening', 'usage_closing', 'usage_call_opening', 'usage_call_closing']) {
      await runner.query(`DROP TYPE IF EXISTS ${unused}`);
    }
  }
}
