import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * Identities: keys without a secret, for the subjects of an identity provider's tokens. `person_id`: who uses it, if its owner
 * is a service account.
 */
export class Identities1797500000000 implements Migration {
  readonly name = 'Identities1797500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE api_keys ADD COLUMN issuer text, ADD COLUMN subject text, ADD COLUMN person_id uuid',
    );
  }
}
