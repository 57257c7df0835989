import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A call tells which model answered: another than the one that was asked may have stood in. */
export class ServedModel1795630000000 implements MigrationInterface {
  readonly name = 'ServedModel1795630000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls ADD served_model text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_calls DROP served_model');
  }
}
