import type { AttemptRecord, TokenCounts } from './usage.types.js';
import type { UsageFilter } from './usage-report.types.js';

export type CallStatus = 'open' | 'settled' | 'failed' | 'aborted' | 'interrupted';

/** One accepted call as the ledger has it. */
export interface UsageCall {
  id: string;
  startedAt: Date;
  requestId: string;
  keyId: string;
  userId: string;
  planId: string;
  model: string;
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
}

export interface UsageCallFilter extends UsageFilter {
  from: Date;
  to: Date;
}

export interface UsageCallPage {
  items: UsageCall[];
  /** Where the next page begins; null after the last. */
  next: string | null;
}
