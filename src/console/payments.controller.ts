import {
  Body,
  type CanActivate,
  Controller,
  Get,
  HttpCode,
  Injectable,
  Logger,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import type { Request } from 'express';
import { labelOf, type Session } from '../accounts/user.types.js';
import { PlanDefinitionsService } from '../billing/plan-definitions.service.js';
import { invalidRequest, notFound, serviceUnavailable, unknownUrl } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { readBody } from '../http/body/request-body.js';
import { PaymentsService } from '../payments/payments.service.js';
import { StripeEventsService } from '../payments/stripe-events.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { ConsoleController, ConsoleGuard, Returns } from './session/console.guard.js';
import { CurrentSession, consoleUrl } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { TimeOrNull } from './shared/views.js';

/** These URLs exist only if plans are for sale. */
@Injectable()
class PaymentsGuard implements CanActivate {
  constructor(private readonly payments: PaymentsService) {}

  canActivate(): true {
    if (this.payments.soldPlans.length === 0) throw unknownUrl();
    return true;
  }
}

export class PaidPlanView {
  @ApiProperty({ example: 'pro' })
  planId!: string;

  @ApiProperty({ description: "The subscription's status at Stripe.", example: 'active' })
  status!: string;

  @ApiProperty({ description: 'It is active, or can still be paid.' })
  running!: boolean;

  @TimeOrNull()
  paidUntil!: Date | null;

  @ApiProperty({ description: 'It will not be renewed after the paid period.' })
  ends!: boolean;
}

export class OfferView {
  @ApiProperty({ example: 'pro' })
  planId!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;
}

class PaymentsView {
  @ApiProperty({ type: [OfferView], description: 'The plans for sale.' })
  offers!: OfferView[];

  @ApiProperty({ type: [PaidPlanView], description: 'Your purchases.' })
  paid!: PaidPlanView[];
}

class PlanToBuy {
  @ApiProperty({ example: 'pro' })
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: '$property must be the id of a plan' })
  planId!: string;
}

class PaymentLinkView {
  @ApiProperty({ description: 'A page of Stripe to open.' })
  url!: string;
}

/** Plans that people buy for themselves. */
@UseGuards(PaymentsGuard)
@ConsoleController('payments', 'Payments', ['account', 'own'])
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
    return {
      url: await this.payments.checkoutUrl({ id: user.id, email: labelOf(user) }, planId, this.returnUrl(request)),
    };
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

const MAX_EVENT_BYTES = 1024 * 1024;

/** Receives Stripe's events; it has no session, but each event is signed. */
@Controller('api/payments/stripe')
@ApiTags('Payments')
@UseGuards(ConsoleGuard, PaymentsGuard)
@Access('anyone')
export class StripeWebhookController {
  private readonly logger = new Logger('Payments');

  constructor(private readonly events: StripeEventsService) {}

  @Post('webhook')
  @HttpCode(204)
  @ApiOperation({ summary: "For Stripe's signed events", description: 'Only if payments are configured.' })
  @ApiNoContentResponse({ description: 'The event was handled, now or earlier.' })
  async receive(@Req() request: Request): Promise<void> {
    const body = await readBody(request, { limit: MAX_EVENT_BYTES });
    const { 'stripe-signature': signature = '' } = request.headers;
    try {
      await this.events.handle(body, String(signature));
    } catch (error) {
      if (isBadSignature(error)) throw invalidRequest('invalid_value', null, 'The event is not signed by Stripe.');
      logFailure(this.logger, 'A Stripe event could not be handled', error);
      throw serviceUnavailable('The event cannot be handled at the moment. Send it again.');
    }
  }
}

function isBadSignature(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError';
}
