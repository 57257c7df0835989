import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { type Actor, GATEWAY } from '../audit/audit.types.js';
import { SyncedPlansService } from '../billing/synced-plans.service.js';
import { ClockService } from '../database/clock.service.js';
import {
  BEGIN_EVENT,
  BUYER,
  DROP_OLD_EVENTS,
  LOCK_BUYER,
  PAID_SUBSCRIPTIONS,
  RECORD_EVENT,
  WRITE_CHARGE,
  WRITE_CUSTOMER,
  WRITE_SUBSCRIPTION,
} from './payments.service.js';
import type { Charge, EventSubject, StripeEvent, Subscription } from './payments.types.js';
import { StripeService } from './stripe.service.js';

const PAYMENTS: Actor = { ...GATEWAY, name: 'payments' };

/** Stripe's answer about the subject of an event. */
interface Answer {
  /** Answers with a higher number were requested later. */
  readonly requested: string;
  readonly charge: Charge | null;
  readonly subscriptions: readonly Subscription[];
}

/** Grants paid plans and ends unpaid ones when Stripe reports a change. */
@Injectable()
export class StripeEventsService {
  private readonly logger = new Logger('Payments');
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly stripe: StripeService,
    private readonly plans: SyncedPlansService,
    private readonly clock: ClockService,
  ) {}

  /**
   * Handles an event that Stripe signed, once. An event only names what has changed; the current state is read from
   * Stripe, so events can come in any order. Throws if Stripe cannot be reached; Stripe then repeats the event. Throws
   * what `StripeService.verifiedEvent` throws.
   */
  async handle(body: Buffer, signature: string): Promise<void> {
    const event = await this.stripe.verifiedEvent(body, signature);
    const running = this.underWay.get(event.id) ?? this.apply(event).finally(() => this.underWay.delete(event.id));
    this.underWay.set(event.id, running);
    await running;
  }

  /** Stripe may be slow, so no database connection is held during the request. */
  private async apply({ id, subject }: StripeEvent): Promise<void> {
    if (!subject) return;
    const [begun]: { requested: string; handled: boolean }[] = await this.dataSource.query(BEGIN_EVENT, [id]);
    if (!begun || begun.handled) return;
    const answer = { requested: begun.requested, ...(await this.ask(subject)) };
    await this.dataSource.transaction(async (manager) => {
      const [isNew]: unknown[] = await manager.query(RECORD_EVENT, [id]);
      if (isNew) await this.write(manager, answer);
      await manager.query(DROP_OLD_EVENTS);
    });
  }

  private async ask({ kind, id }: EventSubject): Promise<Omit<Answer, 'requested'>> {
    if (kind === 'subscription') return { charge: null, subscriptions: [await this.stripe.subscription(id)] };
    const charge = await this.stripe.charge(id);
    const ids = new Set(charge?.periods.map(({ subscriptionId }) => subscriptionId));
    return { charge, subscriptions: await Promise.all([...ids].map((one) => this.stripe.subscription(one))) };
  }

  private async write(manager: EntityManager, { requested, charge, subscriptions }: Answer): Promise<void> {
    for (const { subscriptionId, startsAt, endsAt } of charge?.periods ?? []) {
      const values = [charge?.id, subscriptionId, charge?.isTakenBack, startsAt, endsAt, requested];
      await manager.query(WRITE_CHARGE, values);
    }
    for (const subscription of subscriptions) await this.writeSubscription(manager, subscription, requested);
  }

  private async writeSubscription(
    manager: EntityManager,
    subscription: Subscription,
    requested: string,
  ): Promise<void> {
    const [buyer]: { id: string }[] = await manager.query(BUYER, [subscription.userId, subscription.customerId]);
    if (!buyer || subscription.planId === null) {
      this.logger.warn('A Stripe subscription is for something that the gateway did not sell.', {
        subscription: subscription.id,
      });
      return;
    }
    // The paid periods are read below: another subscription of the same user waits until this one is written.
    await manager.query(LOCK_BUYER, [buyer.id]);
    await manager.query(WRITE_CUSTOMER, [buyer.id, subscription.customerId]);
    const { id, planId, status, paidUntil, ends } = subscription;
    await manager.query(WRITE_SUBSCRIPTION, [id, buyer.id, planId, status, paidUntil, ends, requested]);
    await this.grantPaid(manager, buyer.id);
  }

  private async grantPaid(manager: EntityManager, userId: string): Promise<void> {
    const paid: { planId: string; until: Date }[] = await manager.query(
      `SELECT plan_id AS "planId", max(paid_until) AS until FROM (${PAID_SUBSCRIPTIONS}) AS paid
       WHERE paid_until > $2 GROUP BY plan_id`,
      [userId, this.clock.date()],
    );
    const required = new Map(paid.map(({ planId, until }) => [planId, until]));
    const missing = await this.plans.setWithin(manager, userId, 'stripe', required, PAYMENTS);
    if (missing.length > 0) this.logger.error(`payments.prices names plans that do not exist: ${missing.join(', ')}`);
  }
}
