import { Injectable, Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { MetricsService } from '../../telemetry/metrics/metrics.service.js';
import type { UpstreamFailure } from '../contract/upstream.error.js';
import { targetIdOf } from '../targets/live-targets.js';
import type { LiveTarget } from '../targets/target.types.js';
import type { GatewayProcess, HealthNews } from './health-news.types.js';
import type { HealthChange, Passage, TargetHealth, TargetState } from './target-health.types.js';
import { isOfKey, verdictOf } from './verdict.js';
import { type UpstreamState, WatchedTarget } from './watched-target.js';

const REFUSED_MS = 60_000;

/** Which targets are set aside: a key of an upstream with a model name, or all of a key or an upstream. */
@Injectable()
export class TargetHealthService {
  /** What was set aside and what came back, as it happens. */
  readonly changes = new Subject<HealthChange>();
  /** What this process found out by its own calls, for others. */
  readonly news = new Subject<HealthNews>();
  private readonly logger = new Logger('TargetHealth');
  /** By the target of the catalog, which spares each call the text of a name. */
  private readonly found = new WeakMap<LiveTarget, TargetState>();
  /** By the target's id. */
  private readonly states = new Map<string, TargetState>();
  /** By name, and their keys by name and key. */
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

  /** Every target that was called. */
  list(): TargetHealth[] {
    const now = performance.now();
    return [...this.states.values()].map((state) => {
      const until = state.asideUntil(now);
      const { upstream, key, model, underWay } = state;
      const [standing, asideBy] = [state.standing(now), state.asideBy(now)];
      return { upstream, key, model, underWay, standing, asideBy, asideForMs: until && until - now };
    });
  }

  /** A failure is about the key that the call was made with: another key of the upstream may do. */
  isOfKey(failure: UpstreamFailure): boolean {
    return isOfKey(failure);
  }

  /** The first of an answer is there. */
  answered(state: TargetState, passage: Passage): void {
    if (passage.isProbe && state.answered(passage)) this.tellBack(state);
  }

  /** An attempt ends: `failure` is null where it was answered, and undefined where nothing can be said of the target. */
  ended(state: TargetState, passage: Passage, failure: UpstreamFailure | null | undefined): void {
    const now = performance.now();
    const verdict = failure ? verdictOf(failure) : failure === null ? 'works' : 'unknown';
    const change = state.end(passage, verdict, now, failure?.retryAfterMs);
    if (verdict === 'refused') this.setUpstreamAside(state, now, failure?.certificateRefused === true);
    if (change === 'aside') this.tellAside(state, now);
    if (change === 'limited') this.tellNews('limited', state, (state.asideUntil(now) ?? now) - now);
    if (change === 'back') this.tellBack(state);
  }

  /** What another process found out. It has logged it, and alerted whom it concerns. */
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
      state = new WatchedTarget(name, keyName, upstreamModel, ofUpstream, ofKey, rules, isProbed);
      this.states.set(id, state);
    }
    return state;
  }

  private upstreamState(name: string, key: string | null): UpstreamState {
    const id = nameOf(name, key);
    const state = this.upstreams.get(id) ?? { refusedUntil: 0, refusedBy: null };
    this.upstreams.set(id, state);
    return state;
  }

  /** With all its models: one key by what it answers, and every key by a certificate. */
  private setUpstreamAside({ upstream, key: own }: TargetState, now: number, isCertificate: boolean): void {
    const key = isCertificate ? null : own;
    const state = this.upstreamState(upstream, key);
    const isNews = state.refusedUntil <= now;
    state.refusedUntil = now + REFUSED_MS;
    state.refusedBy = null;
    if (!isNews) return;
    const why = isCertificate
      ? "An upstream's certificate is not trusted: it is set aside."
      : `An upstream refuses this gateway's credential or account: ${key === null ? 'it' : 'this key of it'} is set aside.`;
    this.logger.error(why, { upstream, ...(key !== null && { key }), forMs: REFUSED_MS });
    const reason = isCertificate ? 'certificate' : 'refused';
    this.changes.next({ kind: 'aside', upstream, key, model: null, reason, forMs: REFUSED_MS });
    this.news.next({ kind: reason, upstream, key, model: null, forMs: REFUSED_MS, times: 1 });
  }

  private tellAside(state: TargetState, now: number): void {
    const { upstream, key, model } = state;
    const forMs = Math.round((state.asideUntil(now) ?? now) - now);
    this.logger.warn('A target failed too often: it is set aside.', { ...toldTarget(state), forMs });
    this.changes.next({ kind: 'aside', upstream, key, model, reason: 'failing', forMs });
    this.tellNews('failing', state, forMs);
  }

  private tellBack(state: TargetState): void {
    const { upstream, key, model } = state;
    this.logger.log('A target that was set aside works again.', toldTarget(state));
    this.changes.next({ kind: 'back', upstream, key, model, reason: null, forMs: null });
    this.tellNews('back', state, 0);
  }

  private tellNews(kind: HealthNews['kind'], { upstream, key, model, timesAside }: TargetState, forMs: number): void {
    this.news.next({ kind, upstream, key, model, forMs, times: timesAside });
  }
}

function nameOf(upstream: string, key: string | null): string {
  return key === null ? upstream : `${upstream}#${key}`;
}

function toldTarget({ upstream, key, model }: TargetState): Record<string, string> {
  return { upstream, ...(key !== null && { key }), upstreamModel: model };
}
