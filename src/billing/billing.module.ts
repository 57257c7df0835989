import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { FollowedPlansService } from './followed-plans.service.js';
import { LimitValuesService } from './limit-values.service.js';
import { PlanEntity } from './plan.entity.js';
import { PlanDefinitionsService } from './plan-definitions.service.js';
import { PlanGrantEntity } from './plan-grant.entity.js';
import { PlanHoldersService } from './plan-holders.service.js';
import { PlansService } from './plans.service.js';
import { UserLimitsService } from './user-limits.service.js';

/** Plans and who has them, and what limits their users and keys. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([PlanEntity, PlanGrantEntity])],
  providers: [
    FollowedPlansService,
    LimitValuesService,
    PlanDefinitionsService,
    PlanHoldersService,
    PlansService,
    UserLimitsService,
  ],
  exports: [
    FollowedPlansService,
    LimitValuesService,
    PlanDefinitionsService,
    PlanHoldersService,
    PlansService,
    UserLimitsService,
  ],
})
export class BillingModule {}
