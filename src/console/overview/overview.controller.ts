import { Get, Query } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { FirstCallView, OverviewQuery, OverviewView } from './dto/overview.dto.js';
import { OverviewService } from './overview.service.js';

@ConsoleController('overview', 'Overview', 'member')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @Returns(OverviewView, 'Your usage today and this month, your plan, and recent errors')
  get(@CurrentSession() session: Session, @Query() query: OverviewQuery): Promise<OverviewView> {
    return this.overview.of(session.user, query);
  }

  @Get('first-call')
  @Returns(FirstCallView, 'Whether your first request has succeeded; cheap enough to poll every two seconds')
  firstCall(@CurrentSession() session: Session): Promise<FirstCallView> {
    return this.overview.firstCallOf(session.user);
  }
}
