import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Plans can list single models and can be retired. Limits and budgets of plans, users and keys, one row for each value. */
export class LimitValues1795620000000 implements Migration {
  readonly name = 'LimitValues1795620000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE plans
        ADD COLUMN models text[] NOT NULL DEFAULT '{}',
        ADD COLUMN retired_at timestamptz`);
    // A row without an amount: unlimited, whatever the plan says. No row: not set here.
    await runner.query(`
      CREATE TABLE limit_values (
        scope text NOT NULL CHECK (scope IN ('plan', 'user', 'key', 'project')),
        subject text NOT NULL,
        name text NOT NULL,
        amount bigint CHECK (amount >= 0),
        bound bigint CHECK (bound >= amount),
        PRIMARY KEY (scope, subject, name)
      )`);
  }
}
