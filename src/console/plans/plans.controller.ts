import { Body, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor, CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { ConsolePlansService } from './console-plans.service.js';
import { CreatePlanDto, PlanHoldersQuery, UpdatePlanDto } from './dto/plan-requests.dto.js';
import { PlanHoldersView, PlansView, PlanView } from './dto/plan-view.dto.js';

@ConsoleController('plans', 'Plans', 'admin')
export class PlansController {
  constructor(private readonly plans: ConsolePlansService) {}

  @Get()
  @Role('member')
  @Returns(PlansView, 'Every plan, and yours')
  list(@CurrentSession() session: Session): Promise<PlansView> {
    return this.plans.list(session);
  }

  @Post()
  @Returns(PlanView, 'Create a plan', { status: 201 })
  create(@Body() body: CreatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.create(body, actor);
  }

  @Get(':id/holders')
  @Returns(PlanHoldersView, 'The present and future users of a plan, and what granted it')
  holders(@Param('id') id: string, @Query() query: PlanHoldersQuery): Promise<PlanHoldersView> {
    return this.plans.holders(id, query);
  }

  @Patch(':id')
  @Returns(PlanView, 'Change a plan, or retire it; effective within a second')
  update(@Param('id') id: string, @Body() body: UpdatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.update(id, body, actor);
  }
}
