import { Body, Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../accounts/session.types.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { notFound } from '../../common/gateway.errors.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { consoleUrl } from '../session/request-origin.js';
import { PaymentLinkView, PaymentsView, PlanToBuy } from './dto/payments.dto.js';
import { PaymentsGuard } from './payments.guard.js';

/** Plans that people buy for themselves. */
@UseGuards(PaymentsGuard)
@ConsoleController('payments', 'Payments', 'member')
export class PaymentsController {
  constructor(
    private readonly payments: PaymentsService,
    private readonly plans: PlanDefinitionsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  @Returns(PaymentsView, 'Plans for sale, and your purchases', { description: 'Only if payments are configured.' })
  async get(@CurrentSession() { user }: Session): Promise<PaymentsView> {
    const [plans, paid] = await Promise.all([this.plans.list(), this.payments.paidPlans(user.id)]);
    const sold = this.payments.soldPlans;
    return { offers: plans.filter(({ id }) => sold.includes(id)).map(({ id, name }) => ({ planId: id, name })), paid };
  }

  @Post('checkout')
  @Returns(PaymentLinkView, 'Buy a plan', { description: 'Only if payments are configured.' })
  async checkout(
    @CurrentSession() { user }: Session,
    @Body() { planId }: PlanToBuy,
    @Req() request: Request,
  ): Promise<PaymentLinkView> {
    return { url: await this.payments.checkoutUrl(user, planId, this.returnUrl(request)) };
  }

  @Post('portal')
  @Returns(PaymentLinkView, 'Manage your purchases', { description: 'Only if payments are configured.' })
  async portal(@CurrentSession() { user }: Session, @Req() request: Request): Promise<PaymentLinkView> {
    const url = await this.payments.portalUrl(user.id, this.returnUrl(request));
    if (url === null) throw notFound('You have bought nothing yet.');
    return { url };
  }

  private returnUrl(request: Request): string {
    return `${consoleUrl(request, this.settings)}/account`;
  }
}
