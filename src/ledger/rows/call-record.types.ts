import type { AdmissionAsk } from './admission.types.js';

/** Tokens of one call; `input` includes `cached` and what was written to a cache, `output` includes `reasoning`. */
export interface TokenCounts {
  input: number;
  cached: number;
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  output: number;
  reasoning: number;
}

/** What is known of a call when it is admitted. */
export interface OpenCall {
  /** `chatcmpl-…`, the id that the client sees. */
  id: string;
  startedAt: Date;
  requestId: string;
  keyId: string;
  /** The display form of the secret that it was made with. */
  keyDisplay: string;
  userId: string;
  planId: string;
  model: string;
  stream: boolean;
  priceVersion: string;
  simulated: boolean;
  /** Of the prompt: all that is known of a call whose process dies. */
  estimatedInputTokens: number;
  /** What that costs, which is all that such a call is charged. */
  promptNanodollars: number;
  /** What it asks of the limits that hold for it; null: nothing limits it. */
  ask: AdmissionAsk | null;
}

/** One attempt at an upstream, as the row keeps it. */
export interface AttemptRecord {
  upstream: string;
  /** The name of the upstream's key, where it has several. */
  key?: string;
  upstreamModel: string;
  /** ms after the call's start. */
  startMs: number;
  ms: number;
  /** `ok`, `aborted`, `outrun` where another target answered first, or the code of the error that the attempt ended with. */
  outcome: string;
  status: number | null;
  /** Of the prompt, where another target answered first: the upstream may charge for it, the caller is not. */
  estimatedCostNanodollars?: number;
  /** ms that the call waited for room before it, while every target was full. */
  waitedMs?: number;
}

/** What the charge of a call is made of, where it is not just the list price of the tokens that the upstream reported. */
export interface ChargeNotes {
  /** How tokens were found that the upstream did not report: counted in what was seen of the answer, by the time that it
   * took, the most that was reserved, or the prompt alone. */
  basis?: 'visible' | 'time' | 'ceiling' | 'prompt';
  /** Tokens of the input that were written to the provider's cache, for five minutes and for an hour. */
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  /** The service tier that was asked for, and the factor of its price. */
  serviceTier?: string;
  factor?: number;
  /** Calls of the provider's own tools, by name. */
  hostedTools?: Record<string, number>;
  /** Nano-dollars of a call that its caller left, by an estimate: what was reserved did not cover them, and nobody is charged. */
  uncharged?: number;
  /** Nano-dollars beyond what was reserved. */
  overReserved?: number;
  /** Its upstream failed in the middle of the answer: it is not charged. */
  isFree?: true;
}

/** How a call ended. */
export interface ClosedCall extends OpenCall {
  status: 'settled' | 'failed' | 'aborted';
  /** The model that answered, by whose prices the call is charged; null: none did. */
  servedModel: string | null;
  upstream: string | null;
  upstreamModel: string | null;
  finishReason: string | null;
  errorCode: string | null;
  tokens: TokenCounts;
  tokenSource: 'reported' | 'estimated';
  costNanodollars: bigint;
  /** Null: the list price. */
  charge: ChargeNotes | null;
  attempts: readonly AttemptRecord[];
  firstTokenMs: number | null;
  totalMs: number;
}
