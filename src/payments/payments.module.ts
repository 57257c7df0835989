import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { PaymentsService } from './payments.service.js';
import { StripeService } from './stripe.service.js';
import { StripeEventsService } from './stripe-events.service.js';

/** Selling plans through Stripe. */
@Module({
  imports: [AuditModule, BillingModule],
  providers: [PaymentsService, StripeEventsService, StripeService],
  exports: [PaymentsService, StripeEventsService],
})
export class PaymentsModule {}
