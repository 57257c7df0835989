import { Get, Param, Post } from '@nestjs/common';
import type { Actor } from '../../audit/audit.types.js';
import { ConsoleController, Returns } from '../session/console-controller.js';
import { CurrentActor } from '../session/current-session.js';
import { UpstreamsView, UpstreamTestView } from './dto/upstream-view.dto.js';
import { UpstreamTestsService } from './upstream-tests.service.js';
import { UpstreamsViewService } from './upstreams-view.service.js';

@ConsoleController('upstreams', 'Models and upstreams', 'admin')
export class UpstreamsController {
  constructor(
    private readonly upstreams: UpstreamsViewService,
    private readonly tests: UpstreamTestsService,
  ) {}

  @Get()
  @Returns(UpstreamsView, 'Every upstream and every model of the configuration, and which of them are live')
  list(): Promise<UpstreamsView> {
    return this.upstreams.all();
  }

  @Post(':name/test')
  @Returns(UpstreamTestView, 'Make real calls to an upstream, one JSON and one streamed; the provider charges for them')
  test(@Param('name') name: string, @CurrentActor() actor: Actor): Promise<UpstreamTestView> {
    return this.tests.run(name, actor);
  }
}
