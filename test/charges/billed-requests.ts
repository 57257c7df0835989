import { MODELS, modelOf, PRIORITY, WRITE_1H, WRITE_5M } from './catalog.js';
import type { Seen } from './client.js';
import type { LedgerRow, Run } from './simulation.js';
import type { BilledAttempt, PromptTokens } from './upstream/bill.js';

/** Larger counts are not plausible reports. */
const MAX_TOKENS = 1_000_000_000;
/** The nano-dollars of a token at one dollar per million tokens. */
const NANO = 1000;

/** One request: the charge of its caller, and the provider's bill for the attempt that the caller must pay. */
export interface BilledRequest {
  readonly request: Run['requests'][number];
  readonly row: LedgerRow | null;
  /** Null: the caller need not pay any attempt. */
  readonly paid: BilledAttempt | null;
  /** Attempts that no caller pays: lost hedges and failed attempts. */
  readonly unpaid: readonly BilledAttempt[];
  /** Both in nano-dollars. */
  readonly charged: number;
  readonly billed: number;
}

/** Joins each request with its row and with its attempts at the provider. */
export function toBilledRequests({ requests, rows, bill }: Run): BilledRequest[] {
  const rowOf = new Map(rows.map((row) => [row.key_id, row]));
  const attemptsOf = Map.groupBy(bill, ({ id }) => id);
  return requests.map((request) => {
    const row = rowOf.get(request.keyId) ?? null;
    const attempts = attemptsOf.get(request.id) ?? [];
    const paid = paidOf(attempts, request.called.seen);
    return {
      request,
      row,
      paid,
      unpaid: attempts.filter((attempt) => attempt !== paid),
      charged: Number(row?.cost ?? 0),
      billed: paid ? billOf(paid, wasHeard(request.called.seen, row)) : 0,
    };
  });
}

/**
 * The delivered attempt; if the caller disconnected or the gateway died, the attempt whose answer had started,
 * otherwise the last one. All others are lost hedges and failed attempts.
 */
function paidOf(attempts: readonly BilledAttempt[], seen: Seen): BilledAttempt | null {
  const delivered = attempts.find(({ ending }) => ending === 'delivered');
  if (delivered || (seen !== 'left' && seen !== 'broken')) return delivered ?? null;
  const left = attempts.filter(({ ending }) => ending === 'left');
  return left.find(({ hasBegun }) => hasBegun) ?? left.at(-1) ?? null;
}

/** Usage at the end of an answer that no one waits for does not count as reported, unless the ledger has it. */
function wasHeard(seen: Seen, row: LedgerRow | null): boolean {
  return seen !== 'left' || row?.token_source === 'reported';
}

/** The provider's bill in nano-dollars: by the reported usage if that counts, otherwise by the actual usage. */
function billOf({ upstream, model, tier, prompt, output, reported }: BilledAttempt, countsReport: boolean): number {
  const isPossible = [reported.prompt, reported.output].every(
    (count) => count === null || (count >= 0 && count <= MAX_TOKENS),
  );
  const isReport = countsReport && isPossible;
  const parts =
    isReport && reported.prompt !== null && reported.prompt !== prompt.total ? whole(reported.prompt) : prompt;
  const tokens = isReport ? (reported.output ?? output) : output;
  const { price } = MODELS[modelOf(upstream, model)];
  const { total, cached, written5m, written1h } = parts;
  const fresh = total - cached - written5m - written1h;
  const input = (fresh + written5m * WRITE_5M + written1h * WRITE_1H) * price.input + cached * price.cached;
  const cost = (input + tokens * price.output) * NANO;
  return Math.round(tier === 'priority' ? cost * PRIORITY : cost);
}

function whole(total: number): PromptTokens {
  return { total, cached: 0, written5m: 0, written1h: 0 };
}

export function sumOf(billedRequests: readonly BilledRequest[], amount: (one: BilledRequest) => number): number {
  return billedRequests.reduce((sum, one) => sum + amount(one), 0);
}

/** Answers that were delivered or aborted while their gateway was alive. */
export function isOwed({ paid, row }: BilledRequest): boolean {
  return paid !== null && row?.status !== 'interrupted';
}

/** For a process that died, the estimate of the prompt is charged. */
export function isInterrupted({ row }: BilledRequest): boolean {
  return row?.status === 'interrupted';
}

export function isEstimated({ row }: BilledRequest): boolean {
  return row?.token_source === 'estimated';
}
