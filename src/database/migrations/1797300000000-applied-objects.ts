import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * What an apply of a company's file made: only that is pruned. `id` is that of the plan, user, project or key, of a
 * membership project and user. `pruned`: it was removed again, and is enabled if the file names it once more.
 */
export class AppliedObjects1797300000000 implements Migration {
  readonly name = 'AppliedObjects1797300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE applied_objects (
        kind text NOT NULL CHECK (kind IN ('plan', 'user', 'project', 'member', 'service account', 'key')),
        id text NOT NULL,
        pruned boolean NOT NULL DEFAULT false,
        PRIMARY KEY (kind, id)
      )`);
  }
}
