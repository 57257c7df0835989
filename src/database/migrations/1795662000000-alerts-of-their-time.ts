import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Since when a topic has its state, so that old topics can be deleted. */
export class AlertsOfTheirTime1795662000000 implements Migration {
  readonly name = 'AlertsOfTheirTime1795662000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alert_topics ADD since timestamptz NOT NULL DEFAULT now()');
  }
}
