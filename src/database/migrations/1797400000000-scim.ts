import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * People and groups as the identity provider knows them. A person without a row is known by the e-mail address;
 * `deleted_at`: the provider deleted the person, who is disabled here.
 */
export class Scim1797400000000 implements Migration {
  readonly name = 'Scim1797400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scim_users (
        user_id uuid PRIMARY KEY REFERENCES users,
        user_name text NOT NULL,
        external_id text,
        given_name text,
        family_name text,
        deleted_at timestamptz
      )`);
    await runner.query('CREATE UNIQUE INDEX scim_users_name ON scim_users (lower(user_name))');
    await runner.query(`
      CREATE TABLE scim_groups (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        display_name text NOT NULL,
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE scim_group_members (
        group_id uuid NOT NULL REFERENCES scim_groups ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users,
        PRIMARY KEY (group_id, user_id)
      )`);
    await runner.query('CREATE INDEX scim_group_members_user ON scim_group_members (user_id)');
  }
}
