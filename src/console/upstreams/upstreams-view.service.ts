import { hostname } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { maskedUrl } from '../../config/masked-url.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { credentialVariables, givenVariable, upstreamPrefix } from '../../config/upstream-variables.js';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import { CapacityService } from '../../upstreams/capacity/capacity.service.js';
import { TargetHealthService } from '../../upstreams/health/target-health.service.js';
import { type UpstreamStatus, UpstreamStatusService } from '../../upstreams/status/upstream-status.service.js';
import { type UpstreamActivity, UpstreamActivityService } from '../../usage/reports/upstream-activity.service.js';
import { ModelHealthService, type ModelStanding } from '../models/model-health.service.js';
import { dayBefore } from '../shared/days.js';
import { type CachedShares, CachedSharesService } from './cached-shares.service.js';
import type { UpstreamLimitView } from './dto/upstream-limit-view.dto.js';
import type { CatalogModelView, FailingUpstreamView, UpstreamsView, UpstreamView } from './dto/upstream-view.dto.js';
import { targetStandings } from './target-standings.js';

/** The configuration of upstreams and models, and their state. */
@Injectable()
export class UpstreamsViewService {
  constructor(
    private readonly statuses: UpstreamStatusService,
    private readonly activity: UpstreamActivityService,
    private readonly catalog: CatalogService,
    private readonly clock: ClockService,
    private readonly health: TargetHealthService,
    private readonly cached: CachedSharesService,
    private readonly capacity: CapacityService,
    private readonly modelHealths: ModelHealthService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async all(): Promise<UpstreamsView> {
    const { configDir } = this.settings;
    const [activities, ofUpstreams, ofModels, healths] = await Promise.all([
      this.activity.since(dayBefore(this.clock)),
      this.cached.by('upstream'),
      this.cached.by('model'),
      this.modelHealths.all(),
    ]);
    const statuses = this.statuses.list();
    return {
      upstreamsFile: join(configDir, 'upstreams.yaml'),
      modelsFile: join(configDir, 'models.yaml'),
      upstreams: statuses.map((status) => ({
        ...this.toUpstreamView(status, activities.get(status.upstream.name)),
        cachedShare: ofUpstreams.get(status.upstream.name) ?? null,
      })),
      models: this.models(
        new Set(statuses.filter(({ isLive }) => isLive).map(({ upstream }) => upstream.name)),
        ofModels,
        healths,
      ),
      seenBy: { host: hostname(), process: process.pid },
    };
  }

  /** Upstreams in use whose newest answers are mostly failures. */
  async failing(): Promise<FailingUpstreamView[]> {
    const activities = await this.activity.since(dayBefore(this.clock));
    return this.statuses.list().flatMap(({ isLive, upstream: { name } }) => {
      const activity = activities.get(name);
      if (!isLive || !activity || healthOf(activity) !== 'failing') return [];
      const { attempts, failures, lastError } = activity;
      return [{ name, attempts, failures, code: lastError?.code ?? null }];
    });
  }

  private toUpstreamView(
    { upstream, isLive }: UpstreamStatus,
    activity?: UpstreamActivity,
  ): Omit<UpstreamView, 'cachedShare'> {
    const { name, protocol, baseUrl, scheme, clocks, settings } = upstream;
    const { apiVersion = null, project = null, location = null } = settings;
    const variables = credentialVariables(upstream);
    const state = isLive ? 'live' : 'no_credential';
    const given = (variable: string) => givenVariable(variable, this.settings.origins.variables)?.name ?? null;
    return {
      name,
      protocol,
      baseUrl: maskedUrl(baseUrl),
      baseUrlSetBy: given(`${upstreamPrefix(name)}_BASE_URL`),
      auth: scheme.kind,
      state,
      health: state === 'live' ? healthOf(activity) : state,
      attempts: activity?.attempts ?? 0,
      failures: activity?.failures ?? 0,
      variables,
      setVariables: variables.flat().flatMap((variable) => given(variable) ?? []),
      clocks,
      apiVersion,
      project,
      location,
      limits: this.limitsOf(name),
      models: this.settings.models.flatMap(({ id, targets }) =>
        targets.filter((target) => target.upstream === name).map(({ model }) => ({ id, upstreamModel: model })),
      ),
      lastSuccessAt: activity?.lastSuccessAt ?? null,
      lastError: activity?.lastError ?? null,
    };
  }

  private limitsOf(name: string): UpstreamLimitView[] {
    return this.capacity
      .list()
      .filter(({ upstream }) => upstream === name)
      .map(({ limits, upstream: _, ...use }) => ({
        ...use,
        requestsPerMinute: limits.requestsPerMinute ?? null,
        tokensPerMinute: limits.tokensPerMinute ?? null,
        concurrentCalls: limits.concurrentCalls ?? null,
      }));
  }

  private models(
    live: ReadonlySet<string>,
    cached: CachedShares,
    healths: ReadonlyMap<string, ModelStanding>,
  ): CatalogModelView[] {
    const aside = this.health.list();
    const now = this.clock.date();
    const simulated = new Set(this.catalog.all().flatMap((model) => (model.simulated ? [model.id] : [])));
    return this.settings.models.map(({ id, displayName, tier, hasPrice, targets }) => {
      const shown = targets.map(({ upstream, model, priority, weight }) => ({
        upstream,
        model,
        priority,
        weight,
        live: live.has(upstream),
        ...targetStandings(
          this.settings.upstreams.get(upstream)?.byKey ?? [],
          aside.filter((target) => target.upstream === upstream && target.model === model),
          now,
        ),
      }));
      const isLive = shown.some((target) => target.live);
      return {
        id,
        displayName,
        tier,
        hasPrice,
        cachedShare: cached.get(id) ?? null,
        targets: shown,
        health: healths.get(id)?.health ?? null,
        state: isLive ? 'live' : simulated.has(id) ? 'simulated' : 'hidden',
      };
    });
  }
}

function healthOf(activity: UpstreamActivity | undefined): UpstreamView['health'] {
  if (!activity || activity.attempts === 0) return 'unused';
  const failed = activity.newest.filter((wentWell) => !wentWell).length;
  return failed > 0 && failed * 2 >= activity.newest.length ? 'failing' : 'healthy';
}
