/** What somebody may use: each value null where nothing limits it. Money in nano-dollars. */
export interface LimitValues {
  /** So many at once, refilled continuously. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** Calls under way. */
  readonly concurrentCalls: number | null;
  /** Days and months are those of UTC. */
  readonly budgetDayNanodollars: bigint | null;
  readonly budgetMonthNanodollars: bigint | null;
  readonly budgetTotalNanodollars: bigint | null;
}

/** Whose values a limit comes from, as an error names it. */
export type LimitScope = 'plan' | 'user' | 'key';

/** One of the limits that a caller has; a call needs the leave of them all. */
export interface CallerLimit {
  readonly scope: LimitScope;
  /** What is counted together: a user's id for `plan` and `user`, or a key's. */
  readonly id: string;
  readonly values: LimitValues;
}
