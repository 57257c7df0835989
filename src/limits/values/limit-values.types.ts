import type { LimitScope, LimitValues } from './limit.types.js';
import type { LimitSettings, ShownLimits } from './limit-values.js';

/** What is set in one place. */
export interface OwnLimits {
  readonly values: LimitSettings;
  /** The most that its owner may set of a key: what somebody else set. */
  readonly bounds: LimitSettings;
}

export interface LimitWrite {
  readonly scope: LimitScope;
  /** A plan's, user's or key's id. */
  readonly subject: string;
  /** Whether what is set now binds the owner of a key from now on; otherwise earlier bounds stay. */
  readonly binds?: boolean;
}

/** What differs through a change, as people see it. */
export interface LimitDifference {
  readonly before: Partial<ShownLimits<number | null | 'plan'>>;
  readonly after: Partial<ShownLimits<number | null | 'plan'>>;
}

/** What holds for a user: its own value, else the plan's. */
export interface UserLimits {
  readonly own: LimitSettings;
  readonly plan: LimitSettings;
  readonly values: LimitValues;
}
