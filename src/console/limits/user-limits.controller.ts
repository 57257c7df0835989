import { Body, Get, Param, Patch } from '@nestjs/common';
import type { Actor } from '../../audit/audit.types.js';
import { UserLimitsDto } from '../dto/limits.dto.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { ConsoleLimitsService } from './console-limits.service.js';
import { UserLimitsView } from './dto/user-limits.view.js';

@ConsoleController('users/:id/limits', 'Limits', 'admin')
export class UserLimitsController {
  constructor(private readonly limits: ConsoleLimitsService) {}

  @Get()
  @Returns(UserLimitsView, 'A user’s limits, for all keys together')
  get(@Param('id') id: string): Promise<UserLimitsView> {
    return this.limits.of(id);
  }

  @Patch()
  @Returns(UserLimitsView, "Set a user's own limits and budgets, which replace the plan's; effective within a second")
  set(@Param('id') id: string, @Body() body: UserLimitsDto, @CurrentActor() actor: Actor): Promise<UserLimitsView> {
    return this.limits.set(id, body, actor);
  }
}
