import type { AttemptRecord, ChargeNotes, TokenCounts } from '../ledger/call-record.types.js';
import type { Granularity } from './reports/usage-calendar.js';

export interface UsageTotals {
  /** Includes calls in progress. */
  calls: number;
  costNanodollars: bigint;
}

export interface FirstSuccess {
  at: Date;
  model: string;
}

/** One error, or several identical ones. */
export interface RecentError {
  /** The number of identical errors; all other fields are of the newest one. */
  count: number;
  /** The id of the call or refused request; null if there are no further details. */
  id: string | null;
  at: Date;
  requestId: string;
  model: string | null;
  /** Null for accepted calls, whose answers may have started. */
  status: number | null;
  code: string;
  message: string | null;
  /** Of a failed call: the upstream of its last attempt, and the status of its answer. */
  upstream: string | null;
  upstreamStatus: number | null;
  keyId: string | null;
  userId: string | null;
}

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
  /** Only calls that the simulator answered, or none of them. */
  simulated?: boolean;
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
  /** Answered by an upstream. */
  succeeded: number;
  /** Answered by the simulator. */
  simulated: number;
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
  /** The number of calls whose times the percentiles are of: those that succeeded. */
  timed: number;
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
  /** By what the report is grouped; null for requests without one, for example without a project. */
  ids: Partial<Record<UsageGrouping, string | null>>;
  sums: UsageSums;
}

export type CallStatus = 'open' | 'settled' | 'failed' | 'aborted' | 'interrupted';

/** The end of a page of calls: the last call's start, with microseconds, and its id. */
export type CallPosition = [startedAt: string, id: string];

export interface RefusedRequest {
  /** `refused-…` */
  id: string;
  status: 'refused';
  startedAt: Date;
  requestId: string;
  /** Null if no key has the presented secret. */
  keyId: string | null;
  /** The display form of the secret that was used, if known. */
  keyDisplay: string | null;
  userId: string | null;
  /** As requested; may be empty. */
  model: string;
  api: string;
  httpStatus: number;
  errorCode: string;
  message: string | null;
  clientAddress: string | null;
  userAgent: string | null;
}

export interface UsageCall {
  id: string;
  startedAt: Date;
  requestId: string;
  keyId: string;
  /** The display form of the secret that was used, if known. */
  keyDisplay: string | null;
  userId: string;
  planId: string;
  model: string;
  /** The model that answered, possibly a fallback; null if none did, and for calls from before this was recorded. */
  servedModel: string | null;
  /** Null: simulated, or no upstream was called. */
  upstream: string | null;
  upstreamModel: string | null;
  simulated: boolean;
  /** The API that the client called, for example `chat.completions`. */
  api: string;
  stream: boolean;
  status: CallStatus;
  finishReason: string | null;
  errorCode: string | null;
  /** The status that the client got; null: it had disconnected, the call is running, or it is not known. */
  httpStatus: number | null;
  /** The id in the client's answer, if it is the provider's own. */
  answerId: string | null;
  /** Of a failed call: the first line of the provider's message, and the status of its answer. */
  message: string | null;
  upstreamStatus: number | null;
  tokens: TokenCounts;
  /** Null while the call is in progress. */
  tokenSource: 'reported' | 'estimated' | null;
  costNanodollars: bigint;
  firstTokenMs: number | null;
  totalMs: number | null;
}

export interface UsageCallDetail extends UsageCall {
  attempts: AttemptRecord[];
  /** Null: the list price of the reported tokens. */
  charge: ChargeNotes | null;
  priceVersion: string;
  clientAddress: string | null;
  userAgent: string | null;
}

export interface UsageCallFilter extends UsageFilter {
  from: Date;
  to: Date;
}

/** All errors of a range with the same cause. */
export interface ErrorCause {
  kind: 'failed' | 'refused';
  upstream: string | null;
  /** Of a refused request, or of the provider's answer. */
  status: number | null;
  code: string;
  /** Of the newest one: the message for the caller of a refused request, or the first line of the provider's. */
  message: string | null;
  count: number;
  /** Known users. */
  users: number;
  /** At most ten. */
  models: string[];
  firstAt: Date;
  lastAt: Date;
  /** The id of the newest one; null: it is no longer stored. */
  lastId: string | null;
}

export interface ErrorCauses {
  /** The most frequent first, at most 100. */
  causes: ErrorCause[];
  /** The number of errors with other causes. */
  others: number;
}

/** Conditions on single calls, which no roll-up can answer. */
export interface CallConditions {
  stream?: boolean;
  simulated?: boolean;
  minCostUsd?: number;
  minMs?: number;
  /** Error codes. */
  codes?: readonly string[];
  /** The status that the client got, or the provider's of a failed call. */
  httpStatuses?: readonly number[];
}

export interface UsageRequestFilter extends UsageCallFilter {
  where?: CallConditions;
}

/** With its start, with microseconds, for paging. */
export type Placed<T> = T & { position: string };

export type UsageRequest = UsageCall | RefusedRequest;

export interface UsageRequestPage {
  items: UsageRequest[];
  /** The cursor of the next page; null after the last one. */
  next: string | null;
  /** Everything committed before this time is included. */
  upToDateAt: Date;
  /** Set when the search for matches ended here; older requests may match, too. */
  searchedTo: Date | null;
}
