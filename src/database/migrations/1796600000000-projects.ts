import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from './growing-tables.js';
import type { Migration } from './migration.js';

const CONSTRAINTS = {
  users_kind_check: "CHECK (kind IN ('person', 'service', 'project'))",
  users_of_project_check: "CHECK (kind <> 'project' OR project_id IS NOT NULL)",
  users_has_email: 'CHECK (email IS NOT NULL OR project_id IS NOT NULL)',
  users_project_fkey: 'FOREIGN KEY (project_id) REFERENCES projects',
};

/**
 * A project has its own keys, limits and usage. Its keys belong to users of the project: to the user of kind `project`,
 * which represents the project, or to its service accounts. These users never change their project, so the project of a
 * call is known from its user.
 */
export class Projects1796600000000 implements Migration {
  readonly name = 'Projects1796600000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS projects (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        archived_at timestamptz
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX IF NOT EXISTS projects_name ON projects (lower(name)) WHERE archived_at IS NULL',
    );
    await runner.query(`
      CREATE TABLE IF NOT EXISTS project_members (
        project_id uuid NOT NULL REFERENCES projects,
        user_id uuid NOT NULL REFERENCES users,
        role text NOT NULL CHECK (role IN ('manager', 'member')),
        source text NOT NULL CHECK (source IN ('local', 'oidc')),
        PRIMARY KEY (project_id, user_id)
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS project_members_user ON project_members (user_id)');
    await runner.query('ALTER TABLE users ADD COLUMN IF NOT EXISTS project_id uuid');
    await runner.query('ALTER TABLE users ALTER email DROP NOT NULL');
    for (const [name, definition] of Object.entries(CONSTRAINTS)) {
      await runner.query(`ALTER TABLE users DROP CONSTRAINT IF EXISTS ${name}`);
      await runner.query(`ALTER TABLE users ADD CONSTRAINT ${name} ${definition} NOT VALID`);
      await runner.query(`ALTER TABLE users VALIDATE CONSTRAINT ${name}`);
    }
    await createIndexConcurrently(runner, {
      name: 'users_of_project',
      table: 'users',
      definition: "(project_id) WHERE kind = 'project'",
      unique: true,
    });
    await createIndexConcurrently(runner, {
      name: 'users_project',
      table: 'users',
      definition: '(project_id) WHERE project_id IS NOT NULL',
    });
  }
}
