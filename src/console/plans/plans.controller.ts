import { Body, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Session } from '../../accounts/session.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentActor, CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { ConsolePlansService } from './console-plans.service.js';
import { CreatePlanDto, PlanHoldersQuery, UpdatePlanDto } from './dto/plan-requests.dto.js';
import { PlanHoldersView, PlansView, PlanView } from './dto/plan-view.dto.js';

@ConsoleController('plans', 'Plans')
@Role('admin')
export class PlansController {
  constructor(private readonly plans: ConsolePlansService) {}

  @Get()
  @Role('member')
  @ApiOperation({ summary: 'Every plan, and yours' })
  @ApiOkResponse({ type: PlansView })
  list(@CurrentSession() session: Session): Promise<PlansView> {
    return this.plans.list(session);
  }

  @Post()
  @ApiOperation({ summary: 'Create a plan' })
  @ApiCreatedResponse({ type: PlanView })
  create(@Body() body: CreatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.create(body, actor);
  }

  @Get(':id/holders')
  @ApiOperation({ summary: 'The present and future users of a plan, and what granted it' })
  @ApiOkResponse({ type: PlanHoldersView })
  holders(@Param('id') id: string, @Query() query: PlanHoldersQuery): Promise<PlanHoldersView> {
    return this.plans.holders(id, query);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a plan, or retire it; effective within a second' })
  @ApiOkResponse({ type: PlanView })
  update(@Param('id') id: string, @Body() body: UpdatePlanDto, @CurrentActor() actor: Actor): Promise<PlanView> {
    return this.plans.update(id, body, actor);
  }
}
