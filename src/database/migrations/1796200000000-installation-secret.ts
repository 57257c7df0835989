import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** A random secret that all processes of an installation share. */
export class InstallationSecret1796200000000 implements Migration {
  readonly name = 'InstallationSecret1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE installation (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      secret bytea NOT NULL DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    )`);
    await runner.query('INSERT INTO installation DEFAULT VALUES');
  }
}
