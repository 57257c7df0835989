import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** The names of guards that plans, projects and keys add, and what guards found in which request. */
export class Guards1797600000000 implements Migration {
  readonly name = 'Guards1797600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['plans', 'projects', 'api_keys']) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN guards text[] NOT NULL DEFAULT '{}'`);
    }
    await runner.query(`
      CREATE TABLE guard_hits (
        id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        at timestamptz NOT NULL,
        request_id text NOT NULL,
        user_id uuid NOT NULL,
        guard text NOT NULL,
        kind text NOT NULL,
        action text NOT NULL,
        side text NOT NULL,
        count integer NOT NULL
      )`);
    await runner.query('CREATE INDEX guard_hits_request ON guard_hits (request_id)');
    await runner.query('CREATE INDEX guard_hits_at ON guard_hits (at)');
  }
}
