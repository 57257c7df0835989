import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { KeyLimitsService, ProjectLimitsService, UserLimitsService } from './limit-settings.service.js';

@Module({
  imports: [AuditModule, BillingModule],
  providers: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
  exports: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
})
export class LimitSettingsModule {}
