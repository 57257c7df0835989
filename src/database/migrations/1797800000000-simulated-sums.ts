import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

const TABLES = [
  'hours',
  'call_days',
  'key_days',
  ...['all', 'model', 'key', 'call', 'failure'].map((kind) => `rollups_${kind}`),
];

/** The sums count simulated requests apart from those that an upstream answered. Earlier sums do not. */
export class SimulatedSums1797800000000 implements Migration {
  readonly name = 'SimulatedSums1797800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE usage_${table} ADD COLUMN simulated bigint NOT NULL DEFAULT 0`);
    }
  }
}
