import { Injectable, Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import { AttemptService } from '../../upstreams/attempt/attempt.service.js';
import { ignoredHeaders } from '../../upstreams/attempt/ignored-parameters.js';
import { CapacityService } from '../../upstreams/capacity/capacity.service.js';
import { TargetHealthService } from '../../upstreams/health/target-health.service.js';
import { SimulatorService } from '../../upstreams/simulator/simulator.service.js';
import { CacheKeys } from '../affinity/cache-keys.service.js';
import { MovedConversations } from '../affinity/moved-conversations.js';
import type { CompletionCall } from '../call/completion.call.js';
import { ServableTargets } from '../call/servable-targets.service.js';
import { FirstAnswerTimes } from './first-answer-times.js';
import { HedgeDelays } from './hedge-delays.js';
import { RefusedParameters } from './refused-parameters.js';
import { RetryBudget } from './retry-budget.js';
import { RetryLoop } from './retry-loop.js';
import type { RetryParts } from './retry-parts.js';
import { attemptHeaders, type RoutedAnswer } from './routed-answer.js';

const SIMULATED_UNREAD_LIMIT_MS = 60_000;

@Injectable()
export class RouterService {
  /** Emits each attempt when it ends. */
  readonly attemptsEnded = new Subject<AttemptRecord>();
  private readonly logger = new Logger('Router');
  private parts: RetryParts | undefined;

  constructor(
    private readonly attempts: AttemptService,
    private readonly simulator: SimulatorService,
    private readonly budget: RetryBudget,
    private readonly refused: RefusedParameters,
    private readonly health: TargetHealthService,
    private readonly capacity: CapacityService,
    private readonly targets: ServableTargets,
    private readonly hedges: HedgeDelays,
    private readonly times: FirstAnswerTimes,
    private readonly moved: MovedConversations,
    private readonly cacheKeys: CacheKeys,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Sends nothing until the answer is subscribed to. */
  route(call: CompletionCall): RoutedAnswer {
    return call.model.simulated ? this.simulated(call) : new RetryLoop(call, this.currentParts());
  }

  private simulated(call: CompletionCall): RoutedAnswer {
    const [{ request, native, ignored } = { request: call.request, native: null, ignored: [] }] = call.servable;
    const { id, startedAt, model } = call;
    return {
      ...this.simulator.answer({
        id,
        startedAt,
        modelName: call.nameOf(model),
        dimensions: model.dimensions,
        request,
        native,
      }),
      headers: { ...attemptHeaders(0), ...ignoredHeaders(ignored) },
      attempts: [],
      served: { model, attempt: null, isAnswered: true },
      unreadLimit: SIMULATED_UNREAD_LIMIT_MS,
      sent: { model, sentMs: performance.now(), whenCallerLeaves: 'stop', usageSoFar: () => undefined },
      overrun: null,
      stopTrying: nothing,
      limitOutput: nothing,
    };
  }

  private currentParts(): RetryParts {
    const policy = this.settings.retry;
    if (this.parts?.policy === policy) return this.parts;
    const { attempts, budget, cacheKeys, capacity, hedges, moved, refused, health, times, logger } = this;
    this.parts = {
      attempts,
      budget,
      cacheKeys,
      hedges,
      moved,
      refused,
      health,
      times,
      capacity,
      queueMs: () => this.settings.routing.queue,
      logger,
      policy,
      servable: (forms, model) => this.targets.ofFallback(forms, model),
      attemptEnded: (record) => this.attemptsEnded.next(record),
    };
    return this.parts;
  }
}

/** For simulated calls, which cost nothing and are tried once. */
function nothing(): void {}
