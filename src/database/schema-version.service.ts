import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { MIGRATIONS, namesOf } from './migrations/migrations.js';
import { type AppliedMigration, appliedMigrations, refuseOtherSchema } from './schema/schema-version.js';

/** The schema version, for backup and restore. */
@Injectable()
export class SchemaVersionService {
  applied(client: pg.ClientBase): Promise<AppliedMigration[]> {
    return appliedMigrations(client);
  }

  /** Throws when this program cannot upgrade the schema of a backup. */
  refuseOther(applied: readonly AppliedMigration[]): void {
    refuseOtherSchema(applied, namesOf(MIGRATIONS), 'the backup');
  }
}
