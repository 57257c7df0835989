import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * What each limited user or key has left. Each transaction locks the balances that it needs first, in the order of
 * their ids, so that there are no deadlocks. Calls that count in a balance change only while it is locked.
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
 * One row for each user (limits of plan and user) or key. Rates are stored as the used part of a bucket at the time
 * `at`, so that a new size applies immediately. `running`: concurrent requests. `base_…`: the part of what was spent
 * that calls without a limit had spent before. `cap_…`: the budget that applied last.
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
