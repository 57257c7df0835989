import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { KNOWN_MIGRATIONS } from './migrations/migrations.js';
import { type AppliedMigration, appliedMigrations, refuseNewerSchema } from './schema/schema-version.js';

/** The state of a schema, for who moves one from one database to another. */
@Injectable()
export class SchemaVersionService {
  /** The migrations of the client's database, oldest first; none where no gateway was. */
  applied(client: pg.ClientBase): Promise<AppliedMigration[]> {
    return appliedMigrations(client);
  }

  /** Throws when a state is one of a newer program. `what` has it. */
  refuseNewer(applied: readonly AppliedMigration[], what: string): void {
    refuseNewerSchema(applied, KNOWN_MIGRATIONS, what);
  }
}
