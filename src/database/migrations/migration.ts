import type { QueryRunner } from 'typeorm';

/** A step of the schema. There is no way back: an older version refuses a schema with steps that it does not know. */
export interface Migration {
  /** As the table `migrations` has it: it ends with the time in milliseconds. */
  readonly name: string;
  /** False: it commits step by step, and each step can be repeated. */
  readonly transaction?: boolean;
  /** A changed SQL function comes with a migration that has the new digest of them all, see `digestOf`. */
  readonly functions?: string;
  up(runner: QueryRunner): Promise<void>;
}
