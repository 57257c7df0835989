import { Injectable, Logger } from '@nestjs/common';
import { Observable } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { AttemptService } from '../../upstreams/attempt/attempt.service.js';
import { tellIgnored } from '../../upstreams/attempt/ignored-parameters.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import { SimulatorService } from '../../upstreams/simulator/simulator.service.js';
import type { CompletionCall } from '../completion.call.js';
import { RefusedParameters } from './refused-parameters.js';
import { RetryBudget } from './retry-budget.js';
import { RetryLoop } from './retry-loop.js';

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

  /** The answer to a call. Fails with a `GatewayError`; unsubscribing aborts whatever is under way. */
  route(call: CompletionCall): Observable<Answer> {
    const [target] = call.model.targets;
    if (!target) {
      tellIgnored(call, call.ignoredFields);
      return this.simulator.answer(call);
    }
    call.unreadLimit = target.upstream.clocks.idle;
    const { attempts, budget, refused, logger } = this;
    const parts = { attempts, budget, refused, logger, policy: this.settings.retry };
    return new Observable((client) => {
      const loop = new RetryLoop(call, target, client, parts);
      loop.begin();
      return () => loop.leave();
    });
  }
}
