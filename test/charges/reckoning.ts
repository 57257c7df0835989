import { MODELS, modelOf, PRIORITY, WRITE_1H, WRITE_5M } from './catalog.js';
import type { Seen } from './client.js';
import type { LedgerRow, Run } from './simulation.js';
import type { BilledAttempt, PromptTokens } from './upstream/bill.js';

/** Beyond this a count is no report. */
const MAX_TOKENS = 1_000_000_000;
/** Nano-dollars of a token that costs one dollar a million. */
const NANO = 1000;

/** One request: what its caller was charged, and what the provider bills for the attempt that the caller is to pay. */
export interface Reckoned {
  readonly request: Run['requests'][number];
  readonly row: LedgerRow | null;
  /** Null: no attempt of it is to be paid by the caller. */
  readonly paid: BilledAttempt | null;
  /** Attempts that nobody pays: lost hedges, and those that failed. */
  readonly unpaid: readonly BilledAttempt[];
  /** Nano-dollars, both. */
  readonly charged: number;
  readonly billed: number;
}

/** Joins each request with its row and with what came of it to the provider. */
export function reckon({ requests, rows, bill }: Run): Reckoned[] {
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
 * The one that was delivered; of a caller who left, or whose gateway died, the one whose answer had begun, else the last.
 * All others are lost hedges and failed attempts.
 */
function paidOf(attempts: readonly BilledAttempt[], seen: Seen): BilledAttempt | null {
  const delivered = attempts.find(({ ending }) => ending === 'delivered');
  if (delivered || (seen !== 'left' && seen !== 'broken')) return delivered ?? null;
  const left = attempts.filter(({ ending }) => ending === 'left');
  return left.find(({ hasBegun }) => hasBegun) ?? left.at(-1) ?? null;
}

/** What is reported at the end of an answer that nobody waits for is no report, unless the ledger has it. */
function wasHeard(seen: Seen, row: LedgerRow | null): boolean {
  return seen !== 'left' || row?.token_source === 'reported';
}

/** What the provider bills, in nano-dollars: by what it reported where that is a report, else by the truth. */
function billOf({ upstream, model, tier, prompt, output, told }: BilledAttempt, isHeard: boolean): number {
  const isPossible = [told.prompt, told.output].every((count) => count === null || (count >= 0 && count <= MAX_TOKENS));
  const isReport = isHeard && isPossible;
  const parts = isReport && told.prompt !== null && told.prompt !== prompt.total ? whole(told.prompt) : prompt;
  const tokens = isReport ? (told.output ?? output) : output;
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

export function sumOf(reckoned: readonly Reckoned[], amount: (one: Reckoned) => number): number {
  return reckoned.reduce((sum, one) => sum + amount(one), 0);
}

/** Answers that were delivered or left, as far as their gateway lived to see it. */
export function isOwed({ paid, row }: Reckoned): boolean {
  return paid !== null && row?.status !== 'interrupted';
}

/** A process that died leaves the estimate of the prompt. */
export function isInterrupted({ row }: Reckoned): boolean {
  return row?.status === 'interrupted';
}

export function isEstimated({ row }: Reckoned): boolean {
  return row?.token_source === 'estimated';
}
