import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** What the webhook answered to an alert. Alerts are also stored without a webhook; those are never due. */
export class AlertAnswers1796900000000 implements Migration {
  readonly name = 'AlertAnswers1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts ADD tried_at timestamptz, ADD answer_status int, ADD answer text');
  }
}
