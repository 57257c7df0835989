import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { PAID_SUBSCRIPTIONS } from './payment-statements.js';
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
