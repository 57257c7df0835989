import { Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Session } from '../../accounts/session.types.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentSession } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { FirstCallView, OverviewQuery, OverviewView } from './dto/overview.dto.js';
import { OverviewService } from './overview.service.js';

@ConsoleController('overview', 'Overview')
@Role('member')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @ApiOperation({ summary: 'Your usage today and this month, your plan, and recent errors' })
  @ApiOkResponse({ type: OverviewView })
  get(@CurrentSession() session: Session, @Query() query: OverviewQuery): Promise<OverviewView> {
    return this.overview.of(session.user, query);
  }

  @Get('first-call')
  @ApiOperation({ summary: 'Whether your first request has succeeded; cheap enough to poll every two seconds' })
  @ApiOkResponse({ type: FirstCallView })
  firstCall(@CurrentSession() session: Session): Promise<FirstCallView> {
    return this.overview.firstCallOf(session.user);
  }
}
