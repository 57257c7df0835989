import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A refused request tells which secret it was made with, also after its key got another. */
export class RefusedKeysOfTheirTime1795650000000 implements Migration {
  readonly name = 'RefusedKeysOfTheirTime1795650000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recent_errors ADD key_display text');
  }
}
