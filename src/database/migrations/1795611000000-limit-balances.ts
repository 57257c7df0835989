import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * What each limited user, key or project has left. Whatever decides about calls, gives back or charges locks the balances
 * that it needs first, in the order of their ids, so that nobody waits in a circle; only who holds a balance changes a call
 * that counts in it.
 */
export class LimitBalances1795611000000 implements Migration {
  readonly name = 'LimitBalances1795611000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ALTER reserved_nanodollars DROP NOT NULL');
    await runner.query(`
      ALTER TABLE usage_calls ADD limited_by uuid[], ADD admitted_at timestamptz, ADD uncharged_nanodollars bigint`);
    await runner.query(BALANCES);
    await runner.query(`
      CREATE TABLE limit_caps (
        id uuid NOT NULL,
        since timestamptz NOT NULL,
        cap_day bigint,
        cap_month bigint,
        cap_total bigint,
        PRIMARY KEY (id, since)
      )`);
  }
}

/**
 * A row of one user (for `plan` and `user`), key or project. Levels are kept as what is used of a bucket, so that a new
 * size counts at once; `at` is when they were so, and `running` how many calls are under way. `base_…` is the part of
 * what was spent that calls without a limit had spent before; `cap_…` is the budget that held last.
 */
const BALANCES = `
  CREATE TABLE limit_balances (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    requests_per_minute float8,
    requests_used float8 NOT NULL DEFAULT 0,
    tokens_per_minute float8,
    tokens_used float8 NOT NULL DEFAULT 0,
    running int NOT NULL DEFAULT 0,
    ${['day', 'month', 'total']
      .map(
        (period) => `
    ${period === 'total' ? '' : `${period} date NOT NULL DEFAULT 'epoch',`}
    cap_${period} bigint,
    spent_${period} bigint NOT NULL DEFAULT 0,
    reserved_${period} bigint NOT NULL DEFAULT 0,
    base_${period} bigint NOT NULL DEFAULT 0`,
      )
      .join(',')}
  ) WITH (fillfactor = 50)`;
