import type { Granularity } from './usage-calendar.js';

export type UsageDimension = 'model' | 'key' | 'user' | 'upstream' | 'status' | 'api';

/** Projects are sums of users, which never change their project. */
export type UsageGrouping = UsageDimension | 'project';

/** Empty or missing lists do not filter. */
export interface UsageFilter {
  users?: readonly string[];
  keys?: readonly string[];
  models?: readonly string[];
  /** Statuses of calls, `refused` for refused requests, and `unauthorized` for requests without a valid key (401). */
  statuses?: readonly string[];
  upstreams?: readonly string[];
  /** For example `chat.completions`. */
  apis?: readonly string[];
}

/** A number of the sums, or `tokens`: input plus output. */
export type UsageRanking = keyof UsageSums | 'tokens';

export interface UsageQuestion extends UsageFilter {
  from: Date;
  to: Date;
  /** An IANA time zone for days and hours. */
  zone: string;
  granularity: Granularity;
  groupBy: UsageGrouping | null;
  /** The order of groups; the first ones get their own series. Default: requests. */
  rankBy?: UsageRanking;
  /** Also return the preceding range of the same length. */
  compare: boolean;
}

export interface UsageSums {
  /** Includes calls in progress. */
  requests: number;
  running: number;
  succeeded: number;
  /** Failed or interrupted. */
  errors: number;
  aborted: number;
  /** Not part of `requests`. Counted by the hour: an hour belongs to the unit of time in which it starts. */
  refused: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costNanodollars: bigint;
  p50TotalMs: number | null;
  p95TotalMs: number | null;
  p50FirstTokenMs: number | null;
  p95FirstTokenMs: number | null;
}

export interface UsageReport {
  from: Date;
  to: Date;
  /** Everything before this time is included. */
  upToDateAt: Date;
  /** The maximum lag of the replica; null if the primary was read. */
  replicaLagMs: number | null;
  totals: UsageSums;
  previous: UsageSums | null;
  groupCount: number;
  /** The sum of the groups that are not in `groups`, if any. */
  others: UsageSums | null;
  /**
   * The first groups by `rankBy`. `id` is null for calls without an upstream. Errors of upstreams include errors that
   * callers caused.
   */
  groups: { id: string | null; sums: UsageSums }[];
  /** The first groups, which have their own series. */
  groupsWithSeries: number;
  /** By unit of time, without empty groups; `rest` is the sum of all groups without a series. */
  series: { start: Date; groups: { id: string | null; sums: UsageSums }[]; rest: UsageSums | null }[];
}

export interface UsageGroups {
  groupCount: number;
  groups: UsageReport['groups'];
}

export interface UsagePoint {
  start: Date;
  id: string | null;
  sums: UsageSums;
}
