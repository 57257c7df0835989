import { Injectable, Logger } from '@nestjs/common';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { AttemptService } from '../../upstreams/attempt/attempt.service.js';
import { CapacityService } from '../../upstreams/capacity/capacity.service.js';
import { TargetHealthService } from '../../upstreams/health/target-health.service.js';
import { CacheKeys } from '../affinity/cache-keys.service.js';
import { MovedConversations } from '../affinity/moved-conversations.js';
import { ServableTargets } from '../call/servable-targets.service.js';
import { FirstAnswerTimes } from './first-answer-times.js';
import { HedgeDelays } from './hedge-delays.js';
import { RefusedParameters } from './refused-parameters.js';
import { RetryBudget } from './retry-budget.js';

/** The services that retry loops use. */
@Injectable()
export class RetryParts {
  readonly logger = new Logger('Router');

  constructor(
    readonly attempts: AttemptService,
    readonly budget: RetryBudget,
    readonly refused: RefusedParameters,
    readonly health: TargetHealthService,
    readonly capacity: CapacityService,
    readonly targets: ServableTargets,
    readonly hedges: HedgeDelays,
    readonly times: FirstAnswerTimes,
    readonly moved: MovedConversations,
    readonly cacheKeys: CacheKeys,
    @InjectSettings() readonly settings: Settings,
  ) {}
}
