import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Who pays for which plan, as Stripe last reported, and which of its events have been processed. */
export class Payments1795645000000 implements Migration {
  readonly name = 'Payments1795645000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE stripe_customers (
      user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      customer_id text NOT NULL
    )`);
    await runner.query('CREATE INDEX stripe_customers_id ON stripe_customers (customer_id)');
    await runner.query(`CREATE TABLE stripe_subscriptions (
      id text PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      plan_id text NOT NULL,
      status text NOT NULL,
      paid_until timestamptz,
      ends boolean NOT NULL
    )`);
    await runner.query('CREATE INDEX stripe_subscriptions_user ON stripe_subscriptions (user_id)');
    await runner.query(`CREATE TABLE stripe_events (
      id text PRIMARY KEY,
      heeded_at timestamptz NOT NULL DEFAULT now()
    )`);
  }
}
