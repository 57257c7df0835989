import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** During a rotation a key has two secrets; each has a last use of its own. */
export class UsesOfPreviousSecrets1796850000000 implements Migration {
  readonly name = 'UsesOfPreviousSecrets1796850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE api_keys ADD secret_used_at timestamptz, ADD previous_used_at timestamptz,
         ADD previous_used_address text, ADD previous_used_agent text`,
    );
  }
}
