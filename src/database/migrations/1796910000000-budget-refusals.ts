import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * The smallest reservation that a budget has refused in its latest period with refusals. `since`: the first day of that
 * period in UTC; of total budgets -infinity.
 */
export class BudgetRefusals1796910000000 implements Migration {
  readonly name = 'BudgetRefusals1796910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budget_refusals (
        balance_id uuid NOT NULL,
        period text NOT NULL,
        since date NOT NULL,
        least_nanodollars bigint NOT NULL,
        PRIMARY KEY (balance_id, period)
      )`);
  }
}
