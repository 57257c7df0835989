import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The ledger's id: calls in a gateway's journal are only written to the ledger they belong to. */
export class LedgerId1796300000000 implements Migration {
  readonly name = 'LedgerId1796300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_rollup_state ADD ledger_id uuid');
    await runner.query('UPDATE usage_rollup_state SET ledger_id = gen_random_uuid()');
  }
}
