import type { AttemptRecord, ChargeNotes, TokenCounts } from '../../ledger/rows/call-record.types.js';
import type { UsageFilter } from './usage-report.types.js';

export type CallStatus = 'open' | 'settled' | 'failed' | 'aborted' | 'interrupted';

/** Where a page of calls ended: the last one's start, to the microsecond, and its id. */
export type CallPosition = [startedAt: string, id: string];

/** A request of a known key that never became a call. */
export interface RefusedRequest {
  /** `refused-…` */
  id: string;
  status: 'refused';
  startedAt: Date;
  requestId: string;
  keyId: string;
  /** Of the secret that it was made with; null where that is not known any more. */
  keyDisplay: string | null;
  userId: string;
  /** As the request named it, or empty. */
  model: string;
  httpStatus: number;
  errorCode: string;
  /** What the caller was told. */
  message: string | null;
}

/** One accepted call as the ledger has it. */
export interface UsageCall {
  id: string;
  startedAt: Date;
  requestId: string;
  keyId: string;
  /** Of the secret that it was made with; null where that is not known any more. */
  keyDisplay: string | null;
  userId: string;
  planId: string;
  model: string;
  /** The one that answered, which may have stood in for it; null where none did, and for calls of before this was known. */
  servedModel: string | null;
  /** Null where none was called: the answer was simulated, or there was none. */
  upstream: string | null;
  upstreamModel: string | null;
  simulated: boolean;
  stream: boolean;
  status: CallStatus;
  finishReason: string | null;
  errorCode: string | null;
  tokens: TokenCounts;
  /** Null while the call is under way. */
  tokenSource: 'reported' | 'estimated' | null;
  costNanodollars: bigint;
  firstTokenMs: number | null;
  totalMs: number | null;
}

export interface UsageCallDetail extends UsageCall {
  attempts: AttemptRecord[];
  /** Null: the list price of the tokens that the upstream reported. */
  charge: ChargeNotes | null;
  /** Of the price that it was charged by. */
  priceVersion: string;
}

export interface UsageCallFilter extends UsageFilter {
  from: Date;
  to: Date;
}

/** With its start to the microsecond, as a place to go on from. */
export type Placed<T> = T & { position: string };

/** Whatever was asked: an accepted call, or a request that was refused. */
export type UsageRequest = UsageCall | RefusedRequest;

export interface UsageRequestPage {
  items: UsageRequest[];
  /** Where the next page begins; null after the last. */
  next: string | null;
}
