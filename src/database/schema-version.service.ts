import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { KNOWN_MIGRATIONS } from './migrations/migrations.js';
import { type AppliedMigration, appliedMigrations, refuseNewerSchema } from './schema/schema-version.js';

/** The schema version, for backup and restore. */
@Injectable()
export class SchemaVersionService {
  applied(client: pg.ClientBase): Promise<AppliedMigration[]> {
    return appliedMigrations(client);
  }

  /** Throws when the schema is newer than this program. `what` names its owner. */
  refuseNewer(applied: readonly AppliedMigration[], what: string): void {
    refuseNewerSchema(applied, KNOWN_MIGRATIONS, what);
  }
}
