import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { Role } from '../session/role.js';
import { UpstreamsView, UpstreamTestView } from './dto/upstream-view.dto.js';
import { UpstreamTestsService } from './upstream-tests.service.js';
import { UpstreamsViewService } from './upstreams-view.service.js';

@ConsoleController('upstreams', 'Models and upstreams')
@Role('admin')
export class UpstreamsController {
  constructor(
    private readonly upstreams: UpstreamsViewService,
    private readonly tests: UpstreamTestsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Every upstream and every model of the configuration, and which of them are live' })
  @ApiOkResponse({ type: UpstreamsView })
  list(): Promise<UpstreamsView> {
    return this.upstreams.all();
  }

  @Post(':name/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make real calls to an upstream, one JSON and one streamed; the provider charges for them',
  })
  @ApiOkResponse({ type: UpstreamTestView })
  test(@Param('name') name: string, @CurrentActor() actor: Actor): Promise<UpstreamTestView> {
    return this.tests.run(name, actor);
  }
}
