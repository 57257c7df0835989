import type { AllowedUse } from '../../config/allowed-use.js';

export interface WaitingCall {
  /** Estimated prompt and completion tokens. */
  readonly tokens: number;
  /** Called when the target has capacity: the call takes it, or no longer needs it. */
  come(target: TargetRoom): void;
}

/** Capacity that a call holds until its attempt ends. */
export interface CapacityLease {
  /** `used`: actual tokens; null: unknown, so the estimate counts. */
  end(used: number | null): void;
}

/** Instants are `performance.now()`. */
export interface TargetRoom {
  /** Whether the provider reported that a limit is used up; other targets are then preferred. */
  isScarce(now: number): boolean;
  /** Whether there is capacity and no queue, so that the call can start now. Counts as demand in any case. */
  canStart(tokens: number, now: number): boolean;
  /** Milliseconds until the call can start; infinite if another call must end first. */
  wait(tokens: number, now: number): number;
  readonly countsTokens: boolean;
  /** Null: nothing is limited. */
  take(tokens: number, now: number): CapacityLease | null;
  /** First in, first out. */
  enter(call: WaitingCall): void;
  leave(call: WaitingCall): void;
}

/** How a wait for capacity ended: `served`, `refused` for lack of capacity, or `left` by the caller. */
export type WaitOutcome = 'served' | 'refused' | 'left';

/** Usage of a provider's limits: of an upstream's key, or of one model with that key. */
export interface UseOfCapacity {
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  /** The upstream's name for the model; null: the limits apply to the whole upstream. */
  readonly model: string | null;
  readonly limits: AllowedUse;
  /** From 0 to 1; null: unlimited. */
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly calls: number | null;
  /** The number of this process's waiting calls. */
  readonly waiting: number;
}
