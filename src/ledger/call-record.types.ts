import type { LimitValues } from '../limits/values/limit-values.js';

/** Tokens of one call; `input` includes `cached` and cache writes, `output` includes `reasoning`. */
export interface TokenCounts {
  input: number;
  cached: number;
  /** By the time that the provider keeps them, for example `5m`. */
  cacheWrites?: Record<string, number>;
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
  /** Where the call came from, and the client's `User-Agent`, at most 200 characters; null: unknown. */
  clientAddress: string | null;
  userAgent: string | null;
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
  /** The model that answered, as the provider names it, if it is not a version of `upstreamModel`. */
  answeredModel?: string;
  /**
   * The cost of the prompt if another target answered first, or of the usage that a failed answer reported. The upstream
   * may bill it; the caller does not pay it.
   */
  estimatedCostNanodollars?: number;
  waitedMs?: number;
  /** The upstream's error message, shortened and without quotes from the prompt. */
  message?: string;
  /** The id that the provider gave the request, for its support. */
  requestId?: string;
}

/** Explains a charge that is not just the list price of reported tokens. */
export interface ChargeNotes {
  /**
   * How unreported tokens were estimated: from the visible answer, the time it took, the reservation, or the prompt
   * alone.
   */
  basis?: 'visible' | 'time' | 'ceiling' | 'prompt';
  /** Input tokens written to the provider's cache, by the time that it keeps them. */
  cacheWrite5m?: number;
  cacheWrite30m?: number;
  cacheWrite1h?: number;
  cacheWrite12h?: number;
  /** The charged service tier, and its price factor. */
  serviceTier?: string;
  factor?: number;
  /** The service tier that served, if it is not the requested one. */
  servedTier?: string;
  /** Prices of prompts above this many tokens applied. */
  aboveInputTokens?: number;
  hostedTools?: Record<string, number>;
  /** Tokens of sound, at their own prices. */
  audioInput?: number;
  audioOutput?: number;
  /** Nano-dollars of an abandoned call that exceed its reservation by an estimate; nobody is charged for them. */
  uncharged?: number;
  overReserved?: number;
  /** What was probably estimated too low: a hosted tool, a kind of media, `text` or `output`. */
  underestimated?: string;
  /** Nano-dollars of other attempts, whose answers were unusable: parts of the cost. */
  otherAttempts?: number;
  /** Nano-dollars of an abandoned call for its reported prompt, if that alone exceeds the reservation. */
  reportedPrompt?: number;
  /** Tokens of the longest answer that the budget allowed, if that was less than the other ceilings. */
  outputCeiling?: number;
  isFree?: true;
  /** Nano-dollars that the call would have cost: it was answered from the cache, and nobody is charged for it. */
  cached?: number;
}

export interface ClosedCall extends OpenCall {
  status: 'settled' | 'failed' | 'aborted';
  /** The id in the client's answer, if it is the provider's own; null: `id`, with the prefix of the API. */
  answerId: string | null;
  /** The status that was sent to the client; null: it had disconnected. */
  httpStatus: number | null;
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

/** Whose calls count together. */
export type BalanceKind = 'user' | 'key' | 'project';

export interface LimitedBalance {
  readonly id: string;
  readonly kind: BalanceKind;
  readonly values: LimitValues;
}

/** How many times the estimates of a call are reserved: 1 or more. */
export interface ReservationFactors {
  readonly prompt: number;
  readonly output: number;
}

/** The cost of a call under a budget. Prices are nano-dollars per million and include the factors. */
export interface WorstCaseCost {
  /** Nano-dollars for the whole prompt and an answer of `ceiling` tokens. */
  readonly full: bigint;
  readonly promptPrice: bigint;
  /** Per token of each choice, for all choices. */
  readonly tokenPrice: bigint;
  readonly choices: number;
  /** Tokens per choice: the smaller of the caller's and the model's limits. */
  readonly ceiling: number;
  readonly isOwnCeiling: boolean;
  /** The most calls of each tool of the provider that this pays; null: as many as the request allows. */
  readonly hostedCalls: number | null;
  readonly factors: ReservationFactors;
}

export interface AdmissionRequest {
  readonly balances: readonly LimitedBalance[];
  /** Estimated tokens of the prompt. */
  readonly tokens: number;
  readonly money: WorstCaseCost | null;
  /** Set while the call's row is open. Closing a row without it is slower. */
  grant?: Grant | null;
}

export interface Grant {
  readonly reserved: bigint | null;
  /** The day of the admission in UTC: `2026-11-22`. */
  readonly day: string;
}

/** What is left of a balance; null: unlimited. */
export interface RemainingRates {
  readonly requests: number | null;
  readonly tokens: number | null;
}

/** The limit that refused a call, the one with the longest wait: `limit_refusal` in the database. */
export interface LimitVerdict {
  /** For example `budget_day`. */
  readonly name: string;
  /** The id of its balance. */
  readonly balance: string;
  /** The requests, tokens, concurrent calls or nano-dollars that the call needed at least. */
  readonly needed: number;
  /** Until such a call may be admitted; null: it is a budget. */
  readonly seconds: number | null;
  /** Of a budget: nano-dollars neither spent nor reserved. */
  readonly remaining: number | null;
  /** Calls that end cannot change the decision. */
  readonly lasting: boolean;
}

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Bits of a balance's `base_wanted`, set while earlier spending must still be added up. Higher bits count marks. */
export const BASE_BITS = { day: 1, month: 1, total: 2 } as const;

export type Admission = {
  /** By the ids of balances, after the statement that decided. */
  readonly remaining: Readonly<Record<string, RemainingRates>>;
} & (
  | { readonly isAdmitted: false; readonly refusal: LimitVerdict }
  | {
      readonly isAdmitted: true;
      /** Nano-dollars; null: no budget applies. */
      readonly reserved: bigint | null;
      /** Tokens per choice, when the budget allows fewer than the call asked for. */
      readonly outputCeiling: number | null;
    }
);
