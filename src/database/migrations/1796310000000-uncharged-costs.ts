import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** What upstreams may bill but no caller is charged, by quarter-hour (since 1970), requested model and reason. */
export class UnchargedCosts1796310000000 implements Migration {
  readonly name = 'UnchargedCosts1796310000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE uncharged_costs (
        slot int NOT NULL,
        model text NOT NULL,
        reason text NOT NULL,
        nanodollars bigint NOT NULL,
        PRIMARY KEY (slot, model, reason)
      )`);
  }
}
