import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { KeyLimitsService } from './key-limits.service.js';
import { ProjectLimitsService } from './project-limits.service.js';
import { UserLimitsService } from './user-limits.service.js';

@Module({
  imports: [AuditModule, BillingModule],
  providers: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
  exports: [KeyLimitsService, ProjectLimitsService, UserLimitsService],
})
export class LimitSettingsModule {}
