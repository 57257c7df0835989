import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Which text of each SQL function is installed, see `installFunctions`. */
export class SqlFunctions1796400000000 implements Migration {
  readonly name = 'SqlFunctions1796400000000';
  readonly functions = 'abcad76c314d7a6a31ab1f1e552e57a683dfdef284f4da300bc00aee8e53eef4';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE sql_functions (name text PRIMARY KEY, digest text NOT NULL)');
  }
}
