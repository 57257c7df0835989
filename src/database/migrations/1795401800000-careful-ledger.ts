import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** When a month of the ledger was last dropped, and the estimated input tokens of each call when it was opened. */
export class CarefulLedger1795401800000 implements Migration {
  readonly name = 'CarefulLedger1795401800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE usage_rollup_state ADD dropped_at timestamptz NOT NULL DEFAULT 'epoch'");
    await runner.query('ALTER TABLE usage_calls ADD estimated_input_tokens bigint NOT NULL DEFAULT 0');
  }
}
