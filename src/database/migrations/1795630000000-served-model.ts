import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A call records which model answered: it may be a fallback of the requested one. */
export class ServedModel1795630000000 implements Migration {
  readonly name = 'ServedModel1795630000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD served_model text');
  }
}
