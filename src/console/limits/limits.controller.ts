import { Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Session } from '../../accounts/session.types.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { ConsoleLimitsService } from './console-limits.service.js';
import { UserLimitsView } from './dto/user-limits.view.js';

@ConsoleController('limits', 'Limits')
@Role('member')
export class LimitsController {
  constructor(private readonly limits: ConsoleLimitsService) {}

  @Get()
  @ApiOperation({ summary: 'Your limits, for all your keys together' })
  @ApiOkResponse({ type: UserLimitsView })
  get(@CurrentSession() { user }: Session): Promise<UserLimitsView> {
    return this.limits.of(user.id);
  }
}
