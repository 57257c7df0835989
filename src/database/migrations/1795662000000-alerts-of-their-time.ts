import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** When the state of a topic became what it is, so that what is long past can be forgotten. */
export class AlertsOfTheirTime1795662000000 implements Migration {
  readonly name = 'AlertsOfTheirTime1795662000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alert_topics ADD since timestamptz NOT NULL DEFAULT now()');
  }
}
