import { Body, Delete, Param, Post } from '@nestjs/common';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { ConsolePlansService } from './console-plans.service.js';
import { GrantPlanDto } from './dto/plan-requests.dto.js';
import { HeldPlanView } from './dto/plan-view.dto.js';

@ConsoleController('users/:id/plan', 'Plans', 'admin')
export class UserPlanController {
  constructor(private readonly plans: ConsolePlansService) {}

  @Post()
  @Returns(HeldPlanView, 'Grant a user a plan from now on; granting it again sets a new end')
  grant(@Param('id') id: string, @Body() body: GrantPlanDto, @CurrentActor() actor: Actor): Promise<HeldPlanView> {
    return this.plans.grant(id, body, actor);
  }

  @Delete()
  @Returns(HeldPlanView, 'End every granted plan of a user; the default plan stays')
  revoke(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<HeldPlanView> {
    return this.plans.revoke(id, actor);
  }
}
