import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A call tells which model answered: another than the one that was asked may have stood in. */
export class ServedModel1795630000000 implements Migration {
  readonly name = 'ServedModel1795630000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD served_model text');
  }
}
