import { Injectable, Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InjectSettings, type Settings } from '../config/settings.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import type { UpstreamFailure } from './contract/upstream.error.js';
import {
  isOfKey,
  type Standing,
  TargetState,
  type TrackedAttempt,
  type UpstreamState,
  verdictOf,
} from './health/target-state.js';
import { targetIdOf } from './live-targets.js';
import type { GatewayProcess, HealthNews, LiveTarget } from './target.types.js';

export type { TargetState, TrackedAttempt } from './health/target-state.js';

/** A target was set aside or freed; without a model it is a whole key or upstream. */
export interface HealthChange extends Pick<HealthNews, 'upstream' | 'key' | 'model'> {
  readonly kind: 'aside' | 'back';
  /**
   * `failing`: too many failures; `refused`: the upstream refuses the credential or its quota is spent; `certificate`:
   * the gateway does not trust its certificate; `credential`: the gateway has no valid credential. Null when freed.
   */
  readonly reason: 'failing' | 'refused' | 'certificate' | 'credential' | null;
}

export interface TargetHealth {
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  readonly model: string;
  readonly standing: Standing;
  /** Null: not set aside. */
  readonly asideForMs: number | null;
  readonly underWay: number;
  /** The process that set it aside; null: this one, or it is not set aside. */
  readonly asideBy: GatewayProcess | null;
}

const REFUSED_MS = 60_000;

/** Keeps track of which targets are set aside: a model with a key of an upstream, or a whole key or upstream. */
@Injectable()
export class TargetHealthService {
  readonly changes = new Subject<HealthChange>();
  /** Changes in this process's own calls; sent to the others. */
  readonly news = new Subject<HealthNews>();
  private readonly logger = new Logger('TargetHealth');
  /** Saves building the id for each call. */
  private readonly found = new WeakMap<LiveTarget, TargetState>();
  private readonly states = new Map<string, TargetState>();
  /** By name, and for each key by name and key. */
  private readonly upstreams = new Map<string, UpstreamState>();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    const help = '1 while a target is set aside; the model is the one that the upstream knows.';
    metrics.gauges('gateway_targets_aside', help, ['upstream', 'key', 'model'], () =>
      this.list().map(({ upstream, key, model, asideForMs }) => ({
        upstream,
        key: key ?? '',
        model,
        value: asideForMs === null ? 0 : 1,
      })),
    );
  }

  stateOf(target: LiveTarget): TargetState {
    let state = this.found.get(target);
    if (state === undefined) {
      state = this.stateOfName(target.upstream.name, target.keyName, target.upstreamModel);
      this.found.set(target, state);
    }
    return state;
  }

  /** All targets that were called so far. */
  list(): TargetHealth[] {
    const now = performance.now();
    return [...this.states.values()].map((state) => {
      const until = state.asideUntil(now);
      const { upstream, key, model, underWay } = state;
      const [standing, asideBy] = [state.standing(now), state.asideBy(now)];
      return { upstream, key, model, underWay, standing, asideBy, asideForMs: until && until - now };
    });
  }

  /** Whether the failure concerns the key, so that another key of the upstream may work. */
  isOfKey(failure: UpstreamFailure): boolean {
    return isOfKey(failure);
  }

  /** Called when the first chunk of an answer has arrived. */
  answered(state: TargetState, attempt: TrackedAttempt): void {
    if (state.answered(attempt, performance.now())) this.reportFreed(state);
  }

  /** `failure`: null for an answer; undefined if the result does not depend on the target. */
  ended(state: TargetState, attempt: TrackedAttempt, failure: UpstreamFailure | null | undefined): void {
    const now = performance.now();
    const verdict = failure ? verdictOf(failure) : failure === null ? 'works' : 'unknown';
    const change = state.end(attempt, verdict, now, failure?.retryAfterMs);
    if (verdict === 'refused' && !failure?.credentialMissing)
      this.setUpstreamAside(state, now, failure?.certificateRefused === true);
    if (change === 'aside') this.reportSetAside(state, now);
    if (change === 'limited') this.reportOf(state, 'limited', (state.asideUntil(now) ?? now) - now);
    if (change === 'back') this.reportFreed(state);
  }

  /**
   * Sets an upstream aside until this `performance.now()`, as the gateway has no valid credential for it, or frees it
   * (null). Only in this process: each has its own credential.
   */
  setNoCredential(upstream: string, until: number | null): void {
    for (const { targets } of this.settings.models) {
      for (const target of targets) if (target.upstream === upstream) this.stateOfName(upstream, null, target.model);
    }
    const state = this.upstreamState(upstream, null);
    const wasAside = state.noCredentialUntil > 0;
    state.noCredentialUntil = until ?? 0;
    if (wasAside === (until !== null)) return;
    const change = { upstream, key: null, model: null };
    if (until === null) this.changes.next({ ...change, kind: 'back', reason: null });
    else this.changes.next({ ...change, kind: 'aside', reason: 'credential' });
  }

  /** Applies the news of another process, which has already logged it and sent alerts. */
  takeOver(news: HealthNews, by: GatewayProcess): void {
    const now = performance.now();
    const { kind, upstream, key, model, forMs } = news;
    if (!this.settings.upstreams.has(upstream)) return;
    if (model !== null) this.stateOfName(upstream, key, model).takeOver(news, now, by);
    else if (kind === 'refused' || kind === 'certificate') {
      const state = this.upstreamState(upstream, key);
      if (state.refusedUntil < now + forMs) Object.assign(state, { refusedUntil: now + forMs, refusedBy: by });
    }
  }

  private stateOfName(name: string, keyName: string | null, upstreamModel: string): TargetState {
    const id = targetIdOf(name, upstreamModel, keyName);
    let state = this.states.get(id);
    if (state === undefined) {
      const [ofUpstream, ofKey] = [this.upstreamState(name, null), this.upstreamState(name, keyName)];
      const isProbed = () => this.settings.upstreams.get(name)?.probe === true;
      const rules = () => this.settings.routing;
      state = new TargetState(name, keyName, upstreamModel, ofUpstream, ofKey, rules, isProbed);
      this.states.set(id, state);
    }
    return state;
  }

  private upstreamState(name: string, key: string | null): UpstreamState {
    const id = nameOf(name, key);
    const state = this.upstreams.get(id) ?? { refusedUntil: 0, refusedBy: null, noCredentialUntil: 0 };
    this.upstreams.set(id, state);
    return state;
  }

  /** For a refused credential, sets all models with that key aside; for a certificate, all models with every key. */
  private setUpstreamAside({ upstream, key: own }: TargetState, now: number, isCertificate: boolean): void {
    const key = isCertificate ? null : own;
    const state = this.upstreamState(upstream, key);
    const isNews = state.refusedUntil <= now;
    state.refusedUntil = now + REFUSED_MS;
    state.refusedBy = null;
    if (!isNews) return;
    const why = isCertificate
      ? "An upstream's certificate is not trusted. The upstream is set aside."
      : `An upstream refuses this gateway's credential or account: ${key === null ? 'it' : 'this key'} is set aside.`;
    this.logger.error(why, { upstream, ...(key !== null && { key }), forMs: REFUSED_MS });
    const reason = isCertificate ? 'certificate' : 'refused';
    this.report({ kind: reason, upstream, key, model: null, forMs: REFUSED_MS, times: 1 });
  }

  private reportSetAside(state: TargetState, now: number): void {
    const forMs = Math.round((state.asideUntil(now) ?? now) - now);
    this.logger.warn('A target failed too often and is set aside.', { ...targetFields(state), forMs });
    this.reportOf(state, 'failing', forMs);
  }

  private reportFreed(state: TargetState): void {
    this.logger.log('A target that was set aside works again.', targetFields(state));
    this.reportOf(state, 'back', 0);
  }

  private reportOf({ upstream, key, model, timesAside }: TargetState, kind: HealthNews['kind'], forMs: number): void {
    this.report({ kind, upstream, key, model, forMs, times: timesAside });
  }

  private report(news: HealthNews): void {
    const { kind, upstream, key, model } = news;
    if (kind === 'back') this.changes.next({ kind, upstream, key, model, reason: null });
    else if (kind !== 'limited') this.changes.next({ kind: 'aside', upstream, key, model, reason: kind });
    this.news.next(news);
  }
}

function nameOf(upstream: string, key: string | null): string {
  return key === null ? upstream : `${upstream}#${key}`;
}

function targetFields({ upstream, key, model }: TargetState): Record<string, string> {
  return { upstream, ...(key !== null && { key }), upstreamModel: model };
}
