import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A call records the secret of its key, even after the key is rotated. */
export class KeysOfTheirTime1795406000000 implements Migration {
  readonly name = 'KeysOfTheirTime1795406000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD key_display text');
  }
}
