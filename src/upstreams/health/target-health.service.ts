import { Injectable, Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { MetricsService } from '../../telemetry/metrics/metrics.service.js';
import type { UpstreamFailure } from '../contract/upstream.error.js';
import type { LiveTarget } from '../target.types.js';
import type { HealthChange, Passage, TargetHealth, TargetState } from './target-health.types.js';
import { verdictOf } from './verdict.js';
import { type UpstreamState, WatchedTarget } from './watched-target.js';

const REFUSED_MS = 60_000;

/** Which targets are set aside: an upstream with its model name, or all of an upstream. Of this process alone. */
@Injectable()
export class TargetHealthService {
  /** What was set aside and what came back, as it happens. */
  readonly changes = new Subject<HealthChange>();
  private readonly logger = new Logger('TargetHealth');
  /** By the target of the catalog, which spares each call the text of a name. */
  private readonly found = new WeakMap<LiveTarget, TargetState>();
  private readonly states = new Map<string, TargetState>();
  private readonly upstreams = new Map<string, UpstreamState>();

  constructor(
    @InjectSettings() private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    const help = '1 while a target is set aside; the model is the one that the upstream knows.';
    metrics.gauges('gateway_targets_aside', help, ['upstream', 'model'], () =>
      this.list().map(({ upstream, model, asideForMs }) => ({ upstream, model, value: asideForMs === null ? 0 : 1 })),
    );
  }

  stateOf(target: LiveTarget): TargetState {
    let state = this.found.get(target);
    if (state === undefined) {
      state = this.stateOfName(target.upstream.name, target.upstreamModel);
      this.found.set(target, state);
    }
    return state;
  }

  /** Every target that was called. */
  list(): TargetHealth[] {
    const now = performance.now();
    return [...this.states.values()].map((state) => {
      const until = state.asideUntil(now);
      const { upstream, model, underWay } = state;
      return { upstream, model, underWay, standing: state.standing(now), asideForMs: until && until - now };
    });
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
    if (verdict === 'refused') this.setUpstreamAside(state.upstream, now, failure?.certificateRefused === true);
    if (change === 'aside') this.tellAside(state, now);
    if (change === 'back') this.tellBack(state);
  }

  private stateOfName(upstream: string, model: string): TargetState {
    const name = JSON.stringify([upstream, model]);
    let state = this.states.get(name);
    if (state === undefined) {
      state = new WatchedTarget(upstream, model, this.upstreamState(upstream), () => this.settings.routing);
      this.states.set(name, state);
    }
    return state;
  }

  private upstreamState(name: string): UpstreamState {
    const state = this.upstreams.get(name) ?? { refusedUntil: 0 };
    this.upstreams.set(name, state);
    return state;
  }

  private setUpstreamAside(name: string, now: number, isCertificate: boolean): void {
    const state = this.upstreamState(name);
    const isNews = state.refusedUntil <= now;
    state.refusedUntil = now + REFUSED_MS;
    if (!isNews) return;
    const why = isCertificate
      ? "An upstream's certificate is not trusted: it is set aside."
      : "An upstream refuses this gateway's credential or account: it is set aside.";
    this.logger.error(why, { upstream: name, forMs: REFUSED_MS });
    const reason = isCertificate ? 'certificate' : 'refused';
    this.changes.next({ kind: 'aside', upstream: name, model: null, reason, forMs: REFUSED_MS });
  }

  private tellAside(state: TargetState, now: number): void {
    const { upstream, model } = state;
    const forMs = Math.round((state.asideUntil(now) ?? now) - now);
    this.logger.warn('A target failed too often: it is set aside.', { upstream, upstreamModel: model, forMs });
    this.changes.next({ kind: 'aside', upstream, model, reason: 'failing', forMs });
  }

  private tellBack({ upstream, model }: TargetState): void {
    this.logger.log('A target that was set aside works again.', { upstream, upstreamModel: model });
    this.changes.next({ kind: 'back', upstream, model, reason: null, forMs: null });
  }
}
