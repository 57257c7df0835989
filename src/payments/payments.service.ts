import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { PAID_SUBSCRIPTIONS } from './payment-statements.js';
import type { PaidPlan } from './payments.types.js';
import { StripeService } from './stripe.service.js';

/** Statuses at Stripe of a subscription that goes on, or may yet be paid. */
const RUNNING = ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused'];

export interface Buyer {
  id: string;
  email: string;
}

/** Plans for money: what is sold, and where a user buys and manages it. */
@Injectable()
export class PaymentsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly stripe: StripeService,
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
