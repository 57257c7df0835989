import type { LimitScope, LimitValues } from './limit.types.js';
import type { LimitSettings, ShownLimits } from './limit-values.js';

export interface OwnLimits {
  readonly values: LimitSettings;
  /** Set by an administrator: the most that a key's owner or a project's manager may set. */
  readonly bounds: LimitSettings;
}

export interface LimitWrite {
  readonly scope: LimitScope;
  /** The id of a plan, user, key or project. */
  readonly subject: string;
  /** Whether the values also become bounds for the key's owner or the project's managers; otherwise bounds stay. */
  readonly binds?: boolean;
}

export interface LimitDifference {
  readonly before: Partial<ShownLimits<number | null | 'plan'>>;
  readonly after: Partial<ShownLimits<number | null | 'plan'>>;
}

export interface UserLimits {
  readonly own: LimitSettings;
  readonly plan: LimitSettings;
  readonly values: LimitValues;
}
