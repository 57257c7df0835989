import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/**
 * Charges that were refunded or disputed, and the periods that they paid for. Stripe is asked outside transactions: the
 * sequence orders its answers, so that an older one never replaces a newer one.
 */
export class Refunds1795700000000 implements Migration {
  readonly name = 'Refunds1795700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE stripe_asked');
    await runner.query('ALTER TABLE stripe_subscriptions ADD COLUMN asked bigint NOT NULL DEFAULT 0');
    await runner.query(`CREATE TABLE stripe_charges (
      id text NOT NULL,
      subscription_id text NOT NULL,
      taken_back boolean NOT NULL,
      starts_at timestamptz NOT NULL,
      ends_at timestamptz NOT NULL,
      asked bigint NOT NULL,
      PRIMARY KEY (subscription_id, id)
    )`);
  }
}
