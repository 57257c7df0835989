import { Get, Query } from '@nestjs/common';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentSession } from '../session/current-session.js';
import { OverviewService } from './overview.service.js';
import { FirstCallView, OverviewQuery, OverviewView } from './overview.view.js';

@ConsoleController('overview', 'Overview', ['usage.read', 'own'])
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @Returns(OverviewView, 'Your usage today and this month, your plan, and recent errors')
  get(@CurrentSession() session: Session, @Query() query: OverviewQuery): Promise<OverviewView> {
    return this.overview.of(session, query);
  }

  @Get('first-call')
  @Returns(FirstCallView, 'Whether your first request has succeeded; cheap enough to poll every two seconds')
  firstCall(@CurrentSession() session: Session): Promise<FirstCallView> {
    return this.overview.firstCallOf(session.user);
  }
}
