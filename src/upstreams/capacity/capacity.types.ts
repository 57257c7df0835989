import type { AllowedUse } from '../../config/allowed-use.js';

/** A call that waits for room at some targets. */
export interface WaitingCall {
  /** Of the call, prompt and answer, by estimate. */
  readonly tokens: number;
  /** There is room at this target: the call takes it, or has no use for it any more. */
  come(target: TargetRoom): void;
}

/** What a call holds of a target's capacity until its attempt is over. */
export interface HeldRoom {
  /** `used`: the tokens that it used in the end; null: nobody knows, and the estimate counts. */
  end(used: number | null): void;
}

/** How much room a target has. Instants are those of `performance.now()`. */
export interface TargetRoom {
  /** The provider told that nothing is left: another target comes first. */
  isScarce(now: number): boolean;
  /** Whether a call of so many tokens may begin: there is room, and nobody waits for it. Counts as demand either way. */
  ask(tokens: number, now: number): boolean;
  /** How many ms until such a call has room; infinite where another call must end first. */
  wait(tokens: number, now: number): number;
  /** Whether the tokens of a call matter. */
  readonly countsTokens: boolean;
  /** Null: nothing is limited. */
  take(tokens: number, now: number): HeldRoom | null;
  /** First come, first served. */
  enter(call: WaitingCall): void;
  leave(call: WaitingCall): void;
}

/** How a call's wait for room ended: it got some, it was refused for want of it, or its caller left. */
export type WaitOutcome = 'served' | 'refused' | 'left';

/** How much is used of what a provider allows: a key of an upstream, or one model with it. */
export interface UseOfCapacity {
  readonly upstream: string;
  /** The name of the key, where the upstream has several. */
  readonly key: string | null;
  /** The upstream's name of the model; null: the limits are those of the upstream. */
  readonly model: string | null;
  readonly limits: AllowedUse;
  /** From 0 to 1; null: not limited. */
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly calls: number | null;
  /** Calls of this process that wait for it. */
  readonly waiting: number;
}
