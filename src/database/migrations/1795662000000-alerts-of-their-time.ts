import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the state of a topic became what it is, so that what is long past can be forgotten. */
export class AlertsOfTheirTime1795662000000 implements MigrationInterface {
  readonly name = 'AlertsOfTheirTime1795662000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alert_topics ADD since timestamptz NOT NULL DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alert_topics DROP since');
  }
}
