import { Get, Injectable, Param, Post } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { NotFoundError, UsageError } from '../../common/usage.error.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamStatusService, UpstreamTestService } from '../../upstreams/upstream-status.service.js';
import { ConsoleController, Returns } from '../session/console.guard.js';
import { CurrentActor } from '../session/current-session.js';
import { Access } from '../session/route-access.js';
import { conflict } from '../shared/validation.js';
import { UpstreamsView, UpstreamTestView } from './upstream.view.js';
import { UpstreamsViewService } from './upstreams-view.service.js';

/** An administrator is waiting for the result. */
const LIMIT_MS = 30_000;

/** Tests of upstreams by administrators: one at a time for each, recorded in the audit log. */
@Injectable()
export class UpstreamTestsService {
  private readonly running = new Set<string>();

  constructor(
    private readonly statuses: UpstreamStatusService,
    private readonly tests: UpstreamTestService,
    private readonly audit: AuditService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async run(name: string, actor: Actor): Promise<UpstreamTestView> {
    const status = this.statuses.find(name);
    if (!status) throw new NotFoundError('The upstream does not exist.');
    if (!status.isLive) throw new UsageError(`The upstream ${name} has no credential yet.`);
    if (this.running.has(name)) {
      throw conflict('test_running', `A test of the upstream ${name} is running. Wait for its result.`);
    }
    this.running.add(name);
    try {
      const result = await this.test(status.upstream);
      await this.audit.record(this.dataSource.manager, actor, {
        action: 'upstream.test',
        target: { kind: 'upstream', id: name, name },
        after: {
          ok: result.ok,
          calls: result.calls.map(({ key, kind, ok, ms, error }) => ({ key, kind, ok, ms, error })),
        },
      });
      return result;
    } finally {
      this.running.delete(name);
    }
  }

  private async test(upstream: UpstreamSettings): Promise<UpstreamTestView> {
    const results = await this.tests.test(upstream, LIMIT_MS);
    const calls = results.map(({ upstream: _, usage: __, ...call }) => call);
    return { upstream: upstream.name, ok: calls.every(({ ok }) => ok), calls };
  }
}

@ConsoleController('upstreams', 'Models and upstreams', ['upstreams.read', 'all'])
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
  @Access(['upstreams.test', 'all'])
  @Returns(UpstreamTestView, 'Make real calls to an upstream, one JSON and one streamed; the provider charges for them')
  test(@Param('name') name: string, @CurrentActor() actor: Actor): Promise<UpstreamTestView> {
    return this.tests.run(name, actor);
  }
}
