import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** What upstreams may bill and no caller is charged, by quarter-hour (counted from 1970), model that was asked for and reason. */
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
