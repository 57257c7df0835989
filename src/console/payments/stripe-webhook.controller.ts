import { Controller, HttpCode, Logger, Post, Req, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { invalidRequest } from '../../common/gateway.error.js';
import { serviceUnavailable } from '../../common/gateway.errors.js';
import { readBody } from '../../http/body/request-body.js';
import { StripeEventsService } from '../../payments/stripe-events.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { ConsoleGuard } from '../session/console.guard.js';
import { Role } from '../session/role.js';
import { PaymentsGuard } from './payments.guard.js';

const MAX_EVENT_BYTES = 1024 * 1024;

/** Receives Stripe's events; it has no session, but each event is signed. */
@Controller('api/payments/stripe')
@ApiTags('Payments')
@UseGuards(ConsoleGuard, PaymentsGuard)
@Role('anyone')
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
