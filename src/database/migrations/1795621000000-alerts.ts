import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Alerts to send to a webhook, and the last state sent of each topic. */
export class Alerts1795621000000 implements Migration {
  readonly name = 'Alerts1795621000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alerts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        type text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        at timestamptz NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        next_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz
      )`);
    await runner.query('CREATE INDEX alerts_due ON alerts (next_at) WHERE sent_at IS NULL');
    await runner.query('CREATE TABLE alert_topics (topic text PRIMARY KEY, type text NOT NULL)');
  }
}
