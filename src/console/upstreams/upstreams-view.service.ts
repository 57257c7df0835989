import { hostname } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { maskedUrl } from '../../config/environment.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { credentialVariables, givenVariable, upstreamPrefix } from '../../config/upstream-protocol.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import { CapacityService } from '../../upstreams/capacity.service.js';
import type { CredentialState } from '../../upstreams/cloud-credentials.service.js';
import type { TargetHealth } from '../../upstreams/target-health.service.js';
import { TargetHealthService } from '../../upstreams/target-health.service.js';
import { type UpstreamStatus, UpstreamStatusService } from '../../upstreams/upstream-status.service.js';
import { type UpstreamActivity, UpstreamActivityService } from '../../usage/model-activity.service.js';
import { UpstreamFaultsService } from '../../usage/upstream-faults.service.js';
import { UsageReportsService } from '../../usage/usage-reports.service.js';
import { ModelHealthService, type ModelStanding } from '../models/model-health.service.js';
import { dayBefore } from '../shared/validation.js';
import type {
  CatalogModelView,
  FailingUpstreamView,
  ModelTargetView,
  UpstreamCredentialView,
  UpstreamLimitView,
  UpstreamsView,
  UpstreamView,
} from './upstream.view.js';

/** By name: the share of input tokens that was read from the provider's cache, 0 to 1. Missing without input. */
type CachedShares = ReadonlyMap<string, number>;

/** How often the providers' prompt caches are used, by the sums of the last 24 hours. */
@Injectable()
export class CachedSharesService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly clock: ClockService,
  ) {}

  /** For those with the most input, one page of the report. */
  async by(groupBy: 'model' | 'upstream'): Promise<CachedShares> {
    const span = { from: dayBefore(this.clock), to: this.clock.date(), zone: 'UTC', granularity: 'hour' } as const;
    const { groups } = await this.reports.groups({ ...span, groupBy, rankBy: 'inputTokens', compare: false }, 0);
    return new Map(
      groups.flatMap(({ id, sums: { inputTokens, cachedTokens } }) =>
        id !== null && inputTokens > 0 ? [[id, cachedTokens / inputTokens]] : [],
      ),
    );
  }
}

export interface OngoingFaults {
  isOngoing(error: { upstream: string | null; status: number | null; code: string }): boolean;
  /** Of the upstream with this name. */
  variables(name: string): readonly string[];
}

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
    private readonly faultList: UpstreamFaultsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async all(): Promise<UpstreamsView> {
    const { configDir } = this.settings;
    const [activities, faults, ofUpstreams, ofModels, healths] = await Promise.all([
      this.activity.since(dayBefore(this.clock)),
      this.faultList.list(),
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
        faults: [...(faults.get(status.upstream.name) ?? [])],
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

  /** Upstreams whose newest answers are mostly failures, or that somebody must repair. */
  async failing(): Promise<FailingUpstreamView[]> {
    const [activities, faults] = await Promise.all([this.activity.since(dayBefore(this.clock)), this.faultList.list()]);
    return this.statuses.list().flatMap(({ isLive, upstream: { name } }) => {
      const activity = activities.get(name);
      const known = faults.get(name) ?? [];
      if (!isLive || (known.length === 0 && healthOf(activity) !== 'failing')) return [];
      const { attempts = 0, failures = 0, lastError = null } = activity ?? {};
      return [{ name, attempts, failures, code: lastError?.code ?? null, faults: [...known] }];
    });
  }

  /** What errors of upstreams are compared with: the faults that last, and the variables that set a credential. */
  async faults(): Promise<OngoingFaults> {
    const faults = await this.faultList.list();
    return {
      isOngoing: ({ upstream, status, code }) =>
        (faults.get(upstream ?? '') ?? []).some((one) => one.code === code && one.status === (status || null)),
      variables: (name) => {
        const upstream = this.settings.upstreams.get(name);
        return upstream ? (credentialVariables(upstream)[0] ?? []) : [];
      },
    };
  }

  private toUpstreamView(
    { upstream, isLive, credential }: UpstreamStatus,
    activity?: UpstreamActivity,
  ): Omit<UpstreamView, 'cachedShare' | 'faults'> {
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
      credential: credential && toCredentialView(credential),
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

function toCredentialView({ source, expiresAt, isValid, failure }: CredentialState): UpstreamCredentialView {
  return { source, expiresAt, isValid, failingSince: failure?.since ?? null, reason: failure?.reason ?? null };
}

function healthOf(activity: UpstreamActivity | undefined): UpstreamView['health'] {
  if (!activity || activity.attempts === 0) return 'unused';
  const failed = activity.newest.filter((wentWell) => !wentWell).length;
  return failed > 0 && failed * 2 >= activity.newest.length ? 'failing' : 'healthy';
}

type Aside = Pick<ModelTargetView, 'asideReason' | 'asideUntil' | 'asideBy'>;

const NOT_ASIDE: Aside = { asideReason: null, asideUntil: null, asideBy: null };

/** A target's state: with several keys, that of each key; it is set aside if all of them are. */
function targetStandings(
  byKey: readonly UpstreamSettings[],
  healths: readonly TargetHealth[],
  now: Date,
): Aside & Pick<ModelTargetView, 'keys'> {
  const ofKey = (name: string | null) =>
    asideOf(
      healths.find(({ key }) => key === name),
      now,
    );
  if (byKey.length === 0) return { ...ofKey(null), keys: [] };
  const keys = byKey.map(({ keyName }) => ({ name: keyName ?? '', ...ofKey(keyName) }));
  const [soonest] = keys.toSorted((a, b) => Number(a.asideUntil) - Number(b.asideUntil));
  const { asideReason, asideUntil, asideBy } = soonest ?? NOT_ASIDE;
  return { asideReason, asideUntil, asideBy, keys };
}

function asideOf(health: TargetHealth | undefined, now: Date): Aside {
  if (!health || health.asideForMs === null || health.standing === 'free' || health.standing === 'probe') {
    return NOT_ASIDE;
  }
  const asideUntil = new Date(now.getTime() + health.asideForMs);
  return { asideReason: health.standing, asideUntil, asideBy: health.asideBy };
}
