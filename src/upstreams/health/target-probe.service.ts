import { Injectable, Logger } from '@nestjs/common';
import type { ModelSettings } from '../../config/models.settings.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ownCall } from '../attempt/probe-call.js';
import { AttemptService } from '../attempt.service.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { targetIdOf } from '../live-targets.js';
import type { HealthNews, LiveTarget } from '../target.types.js';
import { TargetHealthService } from '../target-health.service.js';
import { UpstreamStatusService } from '../upstream-status.service.js';
import type { TargetState } from './target-state.js';

const LIMIT_MS = 15_000;
/** 16 is the lowest output limit that the Responses API accepts. */
const PING = { text: 'ping', maxTokens: 16 };

/**
 * If this process has set aside a target of an upstream with `probe: true`, tests the target after that time with its
 * own request, which involves no key, plan or ledger.
 */
@Injectable()
export class TargetProbeService {
  private readonly logger = new Logger('TargetProbe');

  constructor(
    private readonly health: TargetHealthService,
    private readonly attempts: AttemptService,
    private readonly statuses: UpstreamStatusService,
    @InjectSettings() private readonly settings: Settings,
  ) {
    health.news.subscribe((news) => this.schedule(news));
  }

  private schedule(news: HealthNews): void {
    if (news.kind !== 'failing' || this.settings.upstreams.get(news.upstream)?.probe !== true) return;
    // Timers may fire a millisecond early.
    setTimeout(() => this.probe(news), news.forMs + 1).unref();
  }

  private probe({ upstream, key, model: upstreamModel }: HealthNews): void {
    if (upstreamModel === null) return;
    const id = targetIdOf(upstream, upstreamModel, key);
    for (const model of this.settings.models) {
      const targets = model.targets.filter((one) => one.upstream === upstream && one.model === upstreamModel);
      const live = targets.flatMap((target) => this.statuses.targetsOf(target)).find((one) => one.id === id);
      if (!live) continue;
      this.test(model, live, this.health.stateOf(live));
      return;
    }
  }

  private test(model: ModelSettings, target: LiveTarget, state: TargetState): void {
    const now = performance.now();
    const attempt = state.beginProbe(now);
    if (attempt === null) return;
    const ended = (error: unknown) => {
      const failure = error instanceof UpstreamError ? error.failure : undefined;
      if (failure === undefined) this.logger.warn(`A target could not be probed: ${error}`, { target: target.id });
      this.health.ended(state, attempt, failure);
    };
    try {
      ownCall(this.attempts, model, target, PING, now + LIMIT_MS).subscribe({
        complete: () => this.health.ended(state, attempt, null),
        error: ended,
      });
    } catch (error) {
      ended(error);
    }
  }
}
