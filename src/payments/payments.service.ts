import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import type { PaidPlan } from './payments.types.js';
import { StripeService } from './stripe.service.js';

/** Stripe's statuses of a subscription that is active, or can still be paid. */
const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'];

export interface Buyer {
  id: string;
  email: string;
}

/** Sells plans: lists what is for sale, and gives the addresses where users buy and manage plans. */
@Injectable()
export class PaymentsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly stripe: StripeService,
  ) {}

  /** The plans for sale; none if payments are not configured. */
  get soldPlans(): string[] {
    return [...this.stripe.prices.keys()];
  }

  /**
   * The address where the user can buy the plan. Throws a `UsageError` if that plan is not for sale or already bought.
   */
  async checkoutUrl({ id: userId, email }: Buyer, planId: string, returnUrl: string): Promise<string> {
    if (!this.stripe.prices.has(planId)) throw new UsageError(`The plan '${planId}' is not for sale.`, 'planId');
    const paid = await this.paidPlans(userId);
    if (paid.some((plan) => plan.planId === planId && plan.running)) {
      throw new UsageError(
        'You have a subscription to this plan. Change or renew it on the page for managing purchases.',
        'planId',
      );
    }
    return this.stripe.checkoutUrl({ userId, email, planId, returnUrl, customerId: await this.customerOf(userId) });
  }

  /** The address where the user manages purchases; null if there are none. */
  async portalUrl(userId: string, returnUrl: string): Promise<string | null> {
    const customerId = await this.customerOf(userId);
    return customerId && (await this.stripe.portalUrl(customerId, returnUrl));
  }

  /** The user's present and past purchases. */
  paidPlans(userId: string): Promise<PaidPlan[]> {
    return this.dataSource.query(
      `SELECT plan_id AS "planId", status, status = ANY($2) AS running, paid_until AS "paidUntil", ends
       FROM (${PAID_SUBSCRIPTIONS}) AS paid ORDER BY paid_until DESC NULLS LAST`,
      [userId, RUNNING],
    );
  }

  private async customerOf(userId: string): Promise<string | null> {
    const [customer]: { id: string }[] = await this.dataSource.query(
      'SELECT customer_id AS id FROM stripe_customers WHERE user_id = $1',
      [userId],
    );
    return customer?.id ?? null;
  }
}

/** Numbers a request to Stripe before it is made, and checks whether the event $1 was handled. */
export const BEGIN_EVENT = `SELECT nextval('stripe_asked') AS requested,
  EXISTS (SELECT FROM stripe_events WHERE id = $1) AS handled`;

export const RECORD_EVENT = 'INSERT INTO stripe_events (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id';

/** Stripe repeats an event for at most three days. */
export const DROP_OLD_EVENTS = `DELETE FROM stripe_events WHERE heeded_at < now() - interval '30 days'`;

export const WRITE_CHARGE = `
  INSERT INTO stripe_charges (id, subscription_id, taken_back, starts_at, ends_at, asked) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (subscription_id, id) DO UPDATE SET taken_back = excluded.taken_back, starts_at = excluded.starts_at,
    ends_at = excluded.ends_at, asked = excluded.asked
  WHERE stripe_charges.asked < excluded.asked`;

export const WRITE_SUBSCRIPTION = `
  INSERT INTO stripe_subscriptions (id, user_id, plan_id, status, paid_until, ends, asked) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (id) DO UPDATE SET plan_id = excluded.plan_id, status = excluded.status,
    paid_until = excluded.paid_until, ends = excluded.ends, asked = excluded.asked
  WHERE stripe_subscriptions.asked < excluded.asked`;

export const WRITE_CUSTOMER = `
  INSERT INTO stripe_customers (user_id, customer_id) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET customer_id = excluded.customer_id`;

/** The buyer of a subscription, if that user still exists. $1: the user's id, $2: the customer's. */
export const BUYER = `
  SELECT id FROM users WHERE id::text = $1
  UNION ALL SELECT user_id FROM stripe_customers WHERE customer_id = $2 LIMIT 1`;

export const LOCK_BUYER = 'SELECT FROM users WHERE id = $1 FOR UPDATE';

/** The subscriptions of the user $1. A period whose charge was refunded is not paid. */
export const PAID_SUBSCRIPTIONS = `
  SELECT plan_id, status, ends, least(s.paid_until, (
    SELECT min(c.starts_at) FROM stripe_charges AS c
    WHERE c.subscription_id = s.id AND c.taken_back AND c.ends_at >= s.paid_until
  )) AS paid_until
  FROM stripe_subscriptions AS s WHERE s.user_id = $1`;
