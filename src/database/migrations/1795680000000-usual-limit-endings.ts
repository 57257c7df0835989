import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a statement that closes limited calls in the belief that their rows are open: it fails where one is not. */
export class UsualLimitEndings1795680000000 implements MigrationInterface {
  readonly name = 'UsualLimitEndings1795680000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION limit_not_usual() RETURNS bigint LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'a limited call does not end as usual' USING ERRCODE = 'GWNOT';
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_not_usual()');
  }
}
