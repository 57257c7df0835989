import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlanEntity } from './plan.entity.js';
import { PlanGrantEntity } from './plan-grant.entity.js';
import { PlansService } from './plans.service.js';

/** Plans and who has them. */
@Module({
  imports: [TypeOrmModule.forFeature([PlanEntity, PlanGrantEntity])],
  providers: [PlansService],
  exports: [PlansService],
})
export class BillingModule {}
