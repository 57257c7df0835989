import type { Logger } from '@nestjs/common';
import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import type { AttemptService } from '../../upstreams/attempt/attempt.service.js';
import type { CandidateParts } from './candidates.js';
import type { RetryBudget } from './retry-budget.js';
import type { RoomQueueParts } from './room-queue.js';

export interface RetryParts extends CandidateParts, RoomQueueParts {
  readonly attempts: AttemptService;
  readonly budget: RetryBudget;
  readonly logger: Logger;
  attemptEnded(record: AttemptRecord): void;
}
