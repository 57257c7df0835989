import type { AdmissionRequest } from './admission.types.js';

/** Tokens of one call; `input` includes `cached` and cache writes, `output` includes `reasoning`. */
export interface TokenCounts {
  input: number;
  cached: number;
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  output: number;
  reasoning: number;
}

export interface OpenCall {
  /** `chatcmpl-…`, the id that the client sees. */
  id: string;
  startedAt: Date;
  requestId: string;
  keyId: string;
  /** The display form of the secret that was used. */
  keyDisplay: string;
  userId: string;
  planId: string;
  model: string;
  /** The API that the client called, for example `chat.completions`. */
  api: string;
  stream: boolean;
  priceVersion: string;
  simulated: boolean;
  /** Estimate for the prompt, used if the process dies during the call. */
  estimatedInputTokens: number;
  /** The cost of the estimated prompt, charged in that case. */
  promptNanodollars: number;
  /** Null: the caller has no limits. */
  admissionRequest: AdmissionRequest | null;
}

export interface AttemptRecord {
  upstream: string;
  key?: string;
  upstreamModel: string;
  /** ms after the call's start. */
  startMs: number;
  ms: number;
  /** `ok`, `aborted`, `outrun` (another target answered first), or an error code. */
  outcome: string;
  status: number | null;
  /** The cost of the prompt if another target answered first. The upstream may bill it; the caller does not pay it. */
  estimatedCostNanodollars?: number;
  waitedMs?: number;
  /** The upstream's error message, shortened and without quotes from the prompt. */
  message?: string;
}

/** Explains a charge that is not just the list price of reported tokens. */
export interface ChargeNotes {
  /**
   * How unreported tokens were estimated: from the visible answer, the time it took, the reservation, or the prompt
   * alone.
   */
  basis?: 'visible' | 'time' | 'ceiling' | 'prompt';
  /** Input tokens written to the provider's cache, for five minutes and for an hour. */
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  /** The requested service tier, and its price factor. */
  serviceTier?: string;
  factor?: number;
  hostedTools?: Record<string, number>;
  /** Nano-dollars of an abandoned call that exceed its reservation by an estimate; nobody is charged for them. */
  uncharged?: number;
  overReserved?: number;
  /** Tokens of the longest answer that the budget allowed, if that was less than the other ceilings. */
  outputCeiling?: number;
  isFree?: true;
}

export interface ClosedCall extends OpenCall {
  status: 'settled' | 'failed' | 'aborted';
  /** The model that answered, whose prices apply; null: none. */
  servedModel: string | null;
  upstream: string | null;
  upstreamModel: string | null;
  finishReason: string | null;
  errorCode: string | null;
  tokens: TokenCounts;
  tokenSource: 'reported' | 'estimated';
  costNanodollars: bigint;
  charge: ChargeNotes | null;
  attempts: readonly AttemptRecord[];
  firstTokenMs: number | null;
  totalMs: number;
}
