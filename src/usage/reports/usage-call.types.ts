import type { AttemptRecord, ChargeNotes, TokenCounts } from '../../ledger/rows/call-record.types.js';
import type { UsageFilter } from './usage-report.types.js';

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
}

export interface UsageCallFilter extends UsageFilter {
  from: Date;
  to: Date;
}

/** Conditions on single calls, which no roll-up can answer. */
export interface CallConditions {
  stream?: boolean;
  simulated?: boolean;
  minCostUsd?: number;
  minMs?: number;
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
