import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A balance that nothing limits any more forgets its budgets: when one holds again, what was spent meanwhile is counted. */
export class LimitsTakenAway1795663000000 implements MigrationInterface {
  readonly name = 'LimitsTakenAway1795663000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION limit_forget(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM limit_lock(ids);
        UPDATE limit_balances SET cap_day = NULL, cap_month = NULL, cap_total = NULL WHERE id = ANY(ids);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_forget(uuid[])');
  }
}
