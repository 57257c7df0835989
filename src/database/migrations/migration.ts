import type { QueryRunner } from 'typeorm';

/**
 * A change of the schema. There are no down migrations: an older version refuses a database with migrations that it
 * does not know.
 */
export interface Migration {
  /** As in the table `migrations`: it ends with a time in milliseconds. */
  readonly name: string;
  /** False: it commits step by step, and every step is repeatable. */
  readonly transaction?: boolean;
  /** The digest of all SQL functions since this migration: a change of one comes with a migration (sql-functions.spec.ts). */
  readonly functions?: string;
  up(runner: QueryRunner): Promise<void>;
}
