import { Injectable, Logger } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { AttemptService } from '../../upstreams/attempt/attempt.service.js';
import { ignoredHeaders } from '../../upstreams/attempt/ignored-parameters.js';
import { SimulatorService } from '../../upstreams/simulator/simulator.service.js';
import type { CompletionCall } from '../completion.call.js';
import { RefusedParameters } from './refused-parameters.js';
import { RetryBudget } from './retry-budget.js';
import { RetryLoop } from './retry-loop.js';
import type { RoutedAnswer } from './routed-answer.js';

const SIMULATED_UNREAD_LIMIT_MS = 60_000;

/**
 * Sends a call to its model's target. More targets, a breaker and fallback have their place in the retry loop, where the
 * next attempt is chosen.
 */
@Injectable()
export class RouterService {
  private readonly logger = new Logger('Router');

  constructor(
    private readonly attempts: AttemptService,
    private readonly simulator: SimulatorService,
    private readonly budget: RetryBudget,
    private readonly refused: RefusedParameters,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** The answer to a call; nothing is asked before it is subscribed to. */
  route(call: CompletionCall): RoutedAnswer {
    const [target] = call.model.targets;
    if (!target) return this.simulated(call);
    const { attempts, budget, refused, logger } = this;
    return new RetryLoop(call, target, { attempts, budget, refused, logger, policy: this.settings.retry });
  }

  private simulated(call: CompletionCall): RoutedAnswer {
    const headers = ignoredHeaders(call.ignoredFields);
    return { ...this.simulator.answer(call), headers, attempts: [], unreadLimit: SIMULATED_UNREAD_LIMIT_MS };
  }
}
