import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { GroupPlansService } from './group-plans.service.js';
import { PlanEntity } from './plan.entity.js';
import { PlanGrantEntity } from './plan-grant.entity.js';
import { PlansService } from './plans.service.js';

/** Plans and who has them. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([PlanEntity, PlanGrantEntity])],
  providers: [GroupPlansService, PlansService],
  exports: [GroupPlansService, PlansService],
})
export class BillingModule {}
