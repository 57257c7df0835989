import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A refused call is shown among the requests: with what was asked for, and what was said. */
export class RefusedRequests1795405400000 implements MigrationInterface {
  readonly name = 'RefusedRequests1795405400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recent_errors ADD COLUMN asked_model text, ADD COLUMN message text');
    await runner.query('CREATE INDEX recent_errors_by_time ON recent_errors (at DESC, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX recent_errors_by_time');
    await runner.query('ALTER TABLE recent_errors DROP COLUMN asked_model, DROP COLUMN message');
  }
}
