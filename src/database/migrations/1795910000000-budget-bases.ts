import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

/** Marks balances whose base, the sum spent before their budget applied, is still to be computed from the roll-ups. */
export class BudgetBases1795910000000 implements Migration {
  readonly name = 'BudgetBases1795910000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE limit_balances ADD IF NOT EXISTS base_wanted int NOT NULL DEFAULT 0');
    await createIndexConcurrently(runner, {
      table: 'limit_balances',
      name: 'limit_balances_wanted',
      definition: '(id) WHERE base_wanted > 0',
    });
  }
}
