import { Get } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { ConsoleLimitsService } from './console-limits.service.js';
import { UserLimitsView } from './dto/user-limits.view.js';

@ConsoleController('limits', 'Limits', 'member')
export class LimitsController {
  constructor(private readonly limits: ConsoleLimitsService) {}

  @Get()
  @Returns(UserLimitsView, 'Your limits, for all your keys together')
  get(@CurrentSession() { user }: Session): Promise<UserLimitsView> {
    return this.limits.of(user.id);
  }
}
