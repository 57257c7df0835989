import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { KeyLimitsService } from './key-limits.service.js';
import { UserLimitsService } from './user-limits.service.js';

/** The limits that are set for users and keys. */
@Module({
  imports: [AuditModule, BillingModule],
  providers: [KeyLimitsService, UserLimitsService],
  exports: [KeyLimitsService, UserLimitsService],
})
export class LimitSettingsModule {}
