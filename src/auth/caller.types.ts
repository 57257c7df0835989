import type { CurrentPlan, Plan } from '../billing/plan.types.js';
import type { AddressList } from '../common/address-list.js';
import type { CallerLimit } from '../limits/values/limit-values.js';

export interface KeyOwner {
  readonly keyId: string;
  /** Of the presented secret: during a rotation a key has two. */
  readonly keyDisplay: string;
  readonly userId: string;
}

export interface Caller extends KeyOwner {
  /** Null: the key belongs to a person, or to a service account of no project. */
  readonly project: CurrentPlan['project'];
  readonly plan: Plan;
  /** Null: all models of the plan. */
  readonly models: ReadonlySet<string> | null;
  /** Whether the key or its project opted in to the content log. */
  readonly logsContent: boolean;
  /** The names of the guards of its plan, its project and its key. */
  readonly guards: readonly string[];
  /** Seconds for which the key or its project caches answers; 0: not at all; null: as the model's row says. */
  readonly cacheSeconds: number | null;
  /** Empty: no limits. */
  readonly limits: readonly CallerLimit[];
}

/**
 * A cached caller. Times (Unix ms) are compared at each use, because no notification is sent when something expires.
 */
export interface KnownCaller {
  readonly caller: Caller;
  readonly disabledBy: 'owner' | 'administrator' | null;
  readonly ownerDisabled: boolean;
  readonly projectArchived: boolean;
  readonly addresses: AddressList | null;
  readonly keyExpiresAt: number | null;
  readonly planChangesAt: number | null;
  /** Who uses the identity of a service account; null for keys. */
  readonly personId: string | null;
}
