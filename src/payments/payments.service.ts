import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { type Actor, GATEWAY } from '../audit/audit.types.js';
import { FollowedPlansService } from '../billing/followed-plans.service.js';
import { UsageError } from '../common/usage.error.js';
import { SUBSCRIPTION_LOCKS } from '../database/advisory-locks.js';
import { ClockService } from '../database/clock.service.js';
import type { PaidPlan, Subscription } from './payments.types.js';
import { StripeService } from './stripe.service.js';

const PAYMENTS: Actor = { ...GATEWAY, name: 'payments' };

/** Stripe repeats an event for three days at most. */
const DROP_OLD_EVENTS = `DELETE FROM stripe_events WHERE heeded_at < now() - interval '30 days'`;

/** Statuses at Stripe of a subscription that goes on, or may yet be paid. */
const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'];

export interface Buyer {
  id: string;
  email: string;
}

/** Plans for money: a plan is granted for as long as it is paid. */
@Injectable()
export class PaymentsService {
  private readonly logger = new Logger('Payments');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly stripe: StripeService,
    private readonly plans: FollowedPlansService,
    private readonly clock: ClockService,
  ) {}

  /** The plans that are sold; none where payments are not configured. */
  get soldPlans(): string[] {
    return [...this.stripe.prices.keys()];
  }

  /** Where the user may buy the plan. Throws a `UsageError` where that plan is not sold, or bought already. */
  async checkoutUrl({ id: userId, email }: Buyer, planId: string, returnUrl: string): Promise<string> {
    if (!this.stripe.prices.has(planId)) throw new UsageError(`The plan '${planId}' is not sold.`, 'planId');
    const paid = await this.paidPlans(userId);
    if (paid.some((plan) => plan.planId === planId && plan.running)) {
      throw new UsageError(
        'You have a subscription to this plan. Open its management to change or renew it.',
        'planId',
      );
    }
    return this.stripe.checkoutUrl({ userId, email, planId, returnUrl, customerId: await this.customerOf(userId) });
  }

  /** Where the user manages what was bought; null: nothing was. */
  async portalUrl(userId: string, returnUrl: string): Promise<string | null> {
    const customerId = await this.customerOf(userId);
    return customerId && (await this.stripe.portalUrl(customerId, returnUrl));
  }

  /** What the user pays for, or paid for once. */
  paidPlans(userId: string): Promise<PaidPlan[]> {
    return this.dataSource.query(
      `SELECT plan_id AS "planId", status, status = ANY($2) AS running, paid_until AS "paidUntil", ends
       FROM stripe_subscriptions WHERE user_id = $1 ORDER BY paid_until DESC NULLS LAST`,
      [userId, RUNNING],
    );
  }

  /**
   * Heeds an event that Stripe signed, once. An event says only which subscription has changed: Stripe is asked how it
   * stands, so that the order in which events arrive is of no matter. Throws when it cannot be asked; Stripe then repeats
   * the event. Throws what `StripeService.verifiedEvent` does.
   */
  async heed(body: Buffer, signature: string): Promise<void> {
    const { id, subscriptionId } = await this.stripe.verifiedEvent(body, signature);
    if (subscriptionId === null) return;
    await this.dataSource.transaction(async (manager) => {
      const [isNew]: unknown[] = await manager.query(
        'INSERT INTO stripe_events (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id',
        [id],
      );
      if (!isNew) return;
      // What is told of one subscription is written in the order in which it was asked for.
      await manager.query(`SELECT pg_advisory_xact_lock(${SUBSCRIPTION_LOCKS}, hashtext($1))`, [subscriptionId]);
      await this.follow(manager, await this.stripe.subscription(subscriptionId));
      await manager.query(DROP_OLD_EVENTS);
    });
  }

  private async follow(manager: EntityManager, told: Subscription): Promise<void> {
    const userId = await this.buyerOf(manager, told);
    if (userId === null || told.planId === null) {
      this.logger.warn('A subscription at Stripe is to nothing that was sold here.', { subscription: told.id });
      return;
    }
    await manager.query(
      `INSERT INTO stripe_customers (user_id, customer_id) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET customer_id = excluded.customer_id`,
      [userId, told.customerId],
    );
    await manager.query(
      `INSERT INTO stripe_subscriptions (id, user_id, plan_id, status, paid_until, ends) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET plan_id = excluded.plan_id, status = excluded.status,
         paid_until = excluded.paid_until, ends = excluded.ends`,
      [told.id, userId, told.planId, told.status, told.paidUntil, told.ends],
    );
    const paid: { planId: string; until: Date }[] = await manager.query(
      `SELECT plan_id AS "planId", max(paid_until) AS until FROM stripe_subscriptions
       WHERE user_id = $1 AND paid_until > $2 GROUP BY plan_id`,
      [userId, this.clock.date()],
    );
    const wanted = new Map(paid.map(({ planId, until }) => [planId, until]));
    const missing = await this.plans.setWithin(manager, userId, 'stripe', wanted, PAYMENTS);
    if (missing.length > 0) this.logger.error(`payments.prices names plans that there are not: ${missing.join(', ')}`);
  }

  /** Whom it was sold to, if there still is such a user. */
  private async buyerOf(manager: EntityManager, { userId, customerId }: Subscription): Promise<string | null> {
    const [buyer]: { id: string }[] = await manager.query(
      `SELECT id FROM users WHERE id::text = $1
       UNION ALL SELECT user_id FROM stripe_customers WHERE customer_id = $2 LIMIT 1`,
      [userId, customerId],
    );
    return buyer?.id ?? null;
  }

  private async customerOf(userId: string): Promise<string | null> {
    const [customer]: { id: string }[] = await this.dataSource.query(
      'SELECT customer_id AS id FROM stripe_customers WHERE user_id = $1',
      [userId],
    );
    return customer?.id ?? null;
  }
}
