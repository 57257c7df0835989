import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recent errors are kept for each key, and those that belong to none are only counted. */
export class RecentErrorsOfKeys1795403300000 implements MigrationInterface {
  readonly name = 'RecentErrorsOfKeys1795403300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM recent_errors WHERE key_id IS NULL');
    await runner.query('CREATE INDEX recent_errors_of_key ON recent_errors (key_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX recent_errors_of_key');
  }
}
