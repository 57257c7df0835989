import type { Subscription } from 'rxjs';
import type { Attempt } from '../../upstreams/attempt/attempt.service.js';
import type { Passage } from '../../upstreams/health/target-health.types.js';
import type { AttemptRecord } from '../../usage/usage.types.js';
import type { Candidate } from './candidate.js';

/** An attempt under way. */
export interface Run {
  readonly candidate: Candidate;
  readonly attempt: Attempt;
  readonly passage: Passage;
  readonly record: AttemptRecord;
  subscription: Subscription | undefined;
}
