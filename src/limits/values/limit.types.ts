/** The limits of a caller; null: unlimited. Money in nano-dollars. */
export interface LimitValues {
  /** A bucket of this size, refilled continuously. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  readonly concurrentCalls: number | null;
  /** Days and months in UTC. */
  readonly budgetDayNanodollars: bigint | null;
  readonly budgetMonthNanodollars: bigint | null;
  readonly budgetTotalNanodollars: bigint | null;
}

/** Whose limit it is, as named in errors. */
export type LimitScope = 'plan' | 'user' | 'key' | 'project';

/** One set of limits of a caller; a call must pass all of them. */
export interface CallerLimit {
  readonly scope: LimitScope;
  /** Calls with the same id count together: the user's id for `plan` and `user`, else the key's or the project's. */
  readonly id: string;
  readonly values: LimitValues;
}
