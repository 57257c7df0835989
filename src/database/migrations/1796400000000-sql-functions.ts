import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Which text each SQL function has: they are installed from their files, after the migrations, whenever a file differs. */
export class SqlFunctions1796400000000 implements Migration {
  readonly name = 'SqlFunctions1796400000000';
  readonly functions = '440bfe4946e8d812958584c7fc64db6da05790734115d14f78e2ccadeb1991b3';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE sql_functions (name text PRIMARY KEY, digest text NOT NULL)');
  }
}
