import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A refused request records the secret of its key, even after the key is rotated. */
export class RefusedKeysOfTheirTime1795650000000 implements Migration {
  readonly name = 'RefusedKeysOfTheirTime1795650000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recent_errors ADD key_display text');
  }
}
