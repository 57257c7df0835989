import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { LimitValuesService } from '../limits/values/limit-values.service.js';
import { PlanEntity, PlanGrantEntity } from './plan.entity.js';
import { PlanDefinitionsService } from './plan-definitions.service.js';
import { PlanHoldersService } from './plan-holders.service.js';
import { PlansService } from './plans.service.js';
import { SyncedPlansService } from './synced-plans.service.js';

const SERVICES = [SyncedPlansService, LimitValuesService, PlanDefinitionsService, PlanHoldersService, PlansService];

/** Plans and their grants. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([PlanEntity, PlanGrantEntity])],
  providers: SERVICES,
  exports: SERVICES,
})
export class BillingModule {}
