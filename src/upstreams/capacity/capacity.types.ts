import type { LimitedScope } from './limited-scopes.js';

export type { CapacityLease, TargetCapacity as TargetRoom, WaitingCall } from './target-capacity.js';

/** How a wait for capacity ended: `served`, `refused` for lack of capacity, or `left` by the caller. */
export type WaitOutcome = 'served' | 'refused' | 'left';

/** Usage of a provider's limits: of an upstream's key, or of one model with that key. */
export interface UseOfCapacity extends Omit<LimitedScope, 'id'> {
  /** From 0 to 1; null: unlimited. */
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly calls: number | null;
  /** The number of this process's waiting calls. */
  readonly waiting: number;
}
