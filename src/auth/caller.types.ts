import type { Plan } from '../billing/plan.types.js';
import type { AddressList } from '../common/address-list.js';
import type { CallerLimit } from '../limits/values/limit.types.js';

/** Who makes a request: an API key with its owner and the plan that holds now. */
export interface Caller {
  readonly keyId: string;
  /** The display form of the secret that was presented: a key has two while one replaces the other. */
  readonly keyDisplay: string;
  readonly userId: string;
  readonly plan: Plan;
  /** The models that the key is for; null = all of the plan's. */
  readonly models: ReadonlySet<string> | null;
  /** Empty: nothing is limited, and nothing looked up. */
  readonly limits: readonly CallerLimit[];
}

/** What is remembered of a caller; instants (Unix ms) are compared at each use, since a lapse notifies nobody. */
export interface KnownCaller {
  readonly caller: Caller;
  /** Who disabled the key; null where nobody did. */
  readonly disabledBy: 'owner' | 'administrator' | null;
  readonly ownerDisabled: boolean;
  readonly addresses: AddressList | null;
  readonly keyExpiresAt: number | null;
  readonly planChangesAt: number | null;
}
