import type { Granularity } from './usage-calendar.js';

export type UsageDimension = 'model' | 'key' | 'user' | 'upstream' | 'status';

/** Which calls; an empty list, or none, is no condition. */
export interface UsageFilter {
  users?: readonly string[];
  keys?: readonly string[];
  models?: readonly string[];
  statuses?: readonly string[];
}

/** A number of the sums, or `tokens`: input and output together. */
export type UsageRanking = keyof UsageSums | 'tokens';

export interface UsageQuestion extends UsageFilter {
  from: Date;
  to: Date;
  /** An IANA name; days and hours are those of its clocks. */
  zone: string;
  granularity: Granularity;
  groupBy: UsageDimension | null;
  /** Groups come in its order, and the first have a series of their own; without it, requests count. */
  rankBy?: UsageRanking;
  /** Also what came to pass in the stretch of the same length before. */
  compare: boolean;
}

/** What some calls add up to. */
export interface UsageSums {
  /** Accepted calls, running ones included. */
  requests: number;
  running: number;
  /** Failed or interrupted. */
  errors: number;
  aborted: number;
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
  /** Everything that had happened by then is in it. */
  upToDateAt: Date;
  /** How far the replica that was read lies behind at most; null: it was the database itself. */
  replicaLagMs: number | null;
  totals: UsageSums;
  previous: UsageSums | null;
  /** How many groups there are. */
  groupCount: number;
  /** The groups that are not in `groups`, together; null where there are none. */
  others: UsageSums | null;
  /** The first groups, those with the most of `rankBy` first; `id` is null where a call has none (no upstream was called); among upstreams its errors are also those that are the callers' own. */
  groups: { id: string | null; sums: UsageSums }[];
  /** So many of them, the first ones, are told apart in the series. */
  groupsWithSeries: number;
  /** By hour or day, without those in which nothing happened in a group; `rest` is all groups that have no series. */
  series: { start: Date; groups: { id: string | null; sums: UsageSums }[]; rest: UsageSums | null }[];
}

/** Some of the groups of a report, in its order. */
export interface UsageGroups {
  groupCount: number;
  groups: UsageReport['groups'];
}

/** One group in one quarter-hour, hour or day. */
export interface UsagePoint {
  start: Date;
  id: string | null;
  sums: UsageSums;
}
