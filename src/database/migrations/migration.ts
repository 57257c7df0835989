import type { QueryRunner } from 'typeorm';

/** A step of the schema. There is no way back: an older version refuses a schema with steps that it does not know. */
export interface Migration {
  /** As the table `migrations` has it: it ends with the time in milliseconds. */
  readonly name: string;
  /** False: it commits step by step, and each step can be repeated. */
  readonly transaction?: boolean;
  /** The digest of all SQL functions since this migration: a change of one comes with a migration (sql-functions.spec.ts). */
  readonly functions?: string;
  up(runner: QueryRunner): Promise<void>;
}
