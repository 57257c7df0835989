import { readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import { schemaWriterDefault } from '../schema/schema-version.js';
import { definitionOf } from '../schema/sql-functions.js';
import type { Migration } from './migration.js';

const FILES = ['baseline.sql', 'baseline-ledger.sql'];

/** The schema of the first release, in place of the migrations of its builds. */
export class Baseline1796940000000 implements Migration {
  /** That of the last of them, so that it does not run in a database that has run them. */
  readonly name = 'ForgottenData1796940000000';
  readonly functions = 'd5e832f0f34ca24f75654beef04b567ba3c3a7bb6b5c16a3bd40181cc0f3a394';

  async up(runner: QueryRunner): Promise<void> {
    for (const name of ['audit_log_is_append_only', 'audit_chain_append']) await runner.query(definitionOf(name));
    for (const file of FILES) await runner.query(readFileSync(new URL(file, import.meta.url), 'utf8'));
    await runner.query(schemaWriterDefault());
  }
}
