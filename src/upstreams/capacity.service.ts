import { Injectable } from '@nestjs/common';
import { InjectSettings, type Settings } from '../config/settings.js';
import { type AllowedUse, allowedUseOf } from '../config/units.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import { TargetCapacity } from './capacity/target-capacity.js';
import { type ShareOfUse, UseGauge } from './capacity/use-gauge.js';
import { liveTargetsOf } from './live-targets.js';
import type { LiveTarget } from './target.types.js';

/** The demand of this process for a limited scope; sent to the other processes. */
export interface Demand {
  readonly id: string;
  /** Calls that requested capacity since the last read. */
  readonly requested: number;
  readonly underWay: number;
  /** Concurrent calls to reserve for this process. */
  readonly claim: number;
}

/** The capacity of each target, by its configured limits and by the upstream's rate limit headers. */
@Injectable()
export class CapacityService {
  private readonly found = new WeakMap<LiveTarget, TargetCapacity>();
  private readonly targets = new Map<string, TargetCapacity>();
  private readonly gauges = new Map<string, UseGauge>();
  private readonly waits: Record<WaitOutcome, number> = { served: 0, refused: 0, left: 0 };
  private scopes: ReadonlyMap<string, LimitedScope> = new Map();
  /** The settings that the scopes were read from; the scopes are read again after a reload. */
  private readFrom: unknown;

  constructor(
    @InjectSettings() private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    const help = 'Used part of a provider limit, from 0 to 1; without a model it is a limit of the whole upstream.';
    const labels = ['upstream', 'key', 'model', 'limit'] as const;
    metrics.gauges('gateway_target_used_ratio', help, labels, () => this.list().flatMap(usedRatios));
    const calls = 'Calls that wait for capacity at a target.';
    metrics.gauges('gateway_target_waiting_calls', calls, ['upstream', 'key', 'model'], () =>
      this.list().map((use) => ({ ...scopeLabels(use), value: use.waiting })),
    );
    const waits = 'Calls that waited for capacity at a target, by outcome: served, refused or left.';
    metrics.counter('gateway_target_waits_total', waits, 'outcome', () => this.waits);
  }

  waited(outcome: WaitOutcome): void {
    this.waits[outcome]++;
  }

  of(target: LiveTarget): TargetCapacity {
    return this.found.get(target) ?? this.find(target);
  }

  /** All limited scopes, including unused ones. */
  list(): UseOfCapacity[] {
    const now = performance.now();
    return this.present().map(([{ upstream, key, model, limits }, gauge]) => {
      return { upstream, key, model, limits, ...gauge.fullness(now), waiting: gauge.waiting };
    });
  }

  /** Demand for each limited scope since the last read. */
  readDemands(): Demand[] {
    return this.present().map(([{ id }, gauge]) => {
      const { requested, underWay, claim } = gauge;
      gauge.requested = 0;
      return { id, requested, underWay, claim };
    });
  }

  /** Applies the part of a scope that the other processes leave. */
  share(id: string, shared: ShareOfUse): void {
    this.gauges.get(id)?.shareWith(shared, performance.now());
  }

  private find(target: LiveTarget): TargetCapacity {
    this.readScopes();
    const { id, keyName, upstream } = target;
    const ids = [keyName === null ? upstream.name : `${upstream.name}#${keyName}`, id];
    const gauges = ids.flatMap((one) => (this.scopes.has(one) ? (this.gauges.get(one) ?? []) : []));
    const capacity = this.targets.get(id) ?? new TargetCapacity();
    capacity.limitBy(gauges);
    this.targets.set(id, capacity);
    this.found.set(target, capacity);
    return capacity;
  }

  private present(): [LimitedScope, UseGauge][] {
    this.readScopes();
    return [...this.scopes.values()].flatMap((scope): [LimitedScope, UseGauge][] => {
      const gauge = this.gauges.get(scope.id);
      return gauge ? [[scope, gauge]] : [];
    });
  }

  /** Keeps usage when settings are reloaded. */
  private readScopes(): void {
    if (this.readFrom === this.settings.models) return;
    this.readFrom = this.settings.models;
    this.scopes = limitedScopes(this.settings);
    const now = performance.now();
    for (const { id, limits } of this.scopes.values()) {
      const stored = this.gauges.get(id);
      if (stored) stored.allow(limits, now);
      else this.gauges.set(id, new UseGauge(limits, now));
    }
  }
}

function scopeLabels({ upstream, key, model }: UseOfCapacity) {
  return { upstream, key: key ?? '', model: model ?? '' };
}

function usedRatios(use: UseOfCapacity) {
  const { requests, tokens, calls } = use;
  return Object.entries({ requests, tokens, calls }).flatMap(([limit, value]) =>
    value === null ? [] : [{ ...scopeLabels(use), limit, value }],
  );
}

export type { CapacityLease, TargetCapacity as TargetRoom, WaitingCall } from './capacity/target-capacity.js';

/** How a wait for capacity ended: `served`, `refused` for lack of capacity, or `left` by the caller. */
export type WaitOutcome = 'served' | 'refused' | 'left';

/** Usage of a provider's limits: of an upstream's key, or of one model with that key. */
interface UseOfCapacity extends Omit<LimitedScope, 'id'> {
  /** From 0 to 1; null: unlimited. */
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly calls: number | null;
  /** The number of this process's waiting calls. */
  readonly waiting: number;
}

/** The scope of a provider's limits: an upstream's key, or one model with that key. */
interface LimitedScope {
  readonly id: string;
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  /** The upstream's name for the model; null: the limits apply to the whole upstream. */
  readonly model: string | null;
  readonly limits: AllowedUse;
}

/** The limits of a target: its upstream's, which apply to each key, and its own. */
function scopesOf({ id, upstream, keyName, upstreamModel, allowed }: LiveTarget): LimitedScope[] {
  const { name } = upstream;
  const ofUpstream = allowedUseOf(upstream);
  const ofKey = keyName === null ? name : `${name}#${keyName}`;
  return [
    ...(ofUpstream ? [{ id: ofKey, upstream: name, key: keyName, model: null, limits: ofUpstream }] : []),
    ...(allowed ? [{ id, upstream: name, key: keyName, model: upstreamModel, limits: allowed }] : []),
  ];
}

/** All limited scopes of the configuration, by id; a target used by two models counts once. */
function limitedScopes({ models, upstreams }: Pick<Settings, 'models' | 'upstreams'>): Map<string, LimitedScope> {
  const scopes = new Map<string, LimitedScope>();
  for (const target of models.flatMap(({ targets }) => targets)) {
    const upstream = upstreams.get(target.upstream);
    const targets = upstream ? liveTargetsOf(target, upstream) : [];
    for (const scope of targets.flatMap(scopesOf)) scopes.set(scope.id, scope);
  }
  return scopes;
}
