import type { QueryRunner } from 'typeorm';
import { schemaWriterDefault } from '../schema/schema-version.js';
import type { Migration } from './migration.js';

/** Which version of the gateway ran each migration; null for those before this one. */
export class SchemaWriter1795403000000 implements Migration {
  readonly name = 'SchemaWriter1795403000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE migrations ADD COLUMN program text');
    await runner.query(schemaWriterDefault());
  }
}
