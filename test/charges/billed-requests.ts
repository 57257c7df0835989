import type { AnswerScript } from './answer-script.js';
import { type Lifetime, MODELS, modelOf, PRIORITY, type Price, SEARCH, WRITES } from './catalog.js';
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
    const isUnusable = request.script.unusable !== null || request.called.code === 'upstream_timeout';
    const paid = isUnusable ? unusableOf(attempts, request.script, row) : paidOf(attempts, request.called.seen, row);
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
function paidOf(attempts: readonly BilledAttempt[], seen: Seen, row: LedgerRow | null): BilledAttempt | null {
  const delivered = attempts.find(({ ending }) => ending === 'delivered');
  // A gateway that stops ends the calls under way with an error.
  const isLeft = seen === 'left' || seen === 'broken' || row?.status === 'aborted';
  if (delivered || !isLeft) return delivered ?? null;
  const left = attempts.filter(({ ending }) => ending === 'left');
  return left.find(({ hasBegun }) => hasBegun) ?? left.at(-1) ?? null;
}

/** The attempt whose answer became unusable. Of a divided request the answered parts, as one. */
function unusableOf(attempts: readonly BilledAttempt[], { unusable }: AnswerScript, row: LedgerRow | null) {
  const last = attempts.findLast(({ ending }) => ending !== 'refused') ?? null;
  // A target that answered nobody meanwhile costs nobody, which only the gateway can tell.
  if ((unusable === 'late head' || unusable === null) && Number(row?.cost ?? 0) === 0) return null;
  if (unusable !== 'bad part' || last === null) return last;
  const total = attempts.reduce((sum, { ending, prompt }) => sum + (ending === 'delivered' ? prompt.total : 0), 0);
  return { ...last, prompt: { ...last.prompt, total }, reported: { prompt: total, output: 0 } };
}

/** Usage at the end of an answer that no one waits for does not count as reported, unless the ledger has it. */
function wasHeard(seen: Seen, row: LedgerRow | null): boolean {
  return seen !== 'left' || row?.token_source === 'reported';
}

/** The provider's bill in nano-dollars: by the reported usage if that counts, otherwise by the actual usage. */
function billOf(
  { upstream, model, tier, searches, prompt, output, reported }: BilledAttempt,
  countsReport: boolean,
): number {
  const isPossible = [reported.prompt, reported.output].every(
    (count) => count === null || (count >= 0 && count <= MAX_TOKENS),
  );
  const isReport = countsReport && isPossible;
  const parts =
    isReport && reported.prompt !== null && reported.prompt !== prompt.total ? whole(reported.prompt) : prompt;
  const tokens = isReport ? (reported.output ?? output) : output;
  const { price: base }: { price: Price } = MODELS[modelOf(upstream, model)];
  const { total, cached, written } = parts;
  const price = base.above && total > base.above.inputTokens ? base.above : base;
  const writes = Object.entries(written).map(([lifetime, count]) => ({ count, factor: WRITES[lifetime as Lifetime] }));
  const fresh = total - cached - writes.reduce((sum, { count }) => sum + count, 0);
  const writing = writes.reduce((sum, { count, factor }) => sum + count * factor, 0);
  const cost = ((fresh + writing) * price.input + cached * price.cached + tokens * price.output) * NANO;
  return Math.round((tier === 'priority' ? cost * PRIORITY : cost) + searches * SEARCH * 1e9);
}

function whole(total: number): PromptTokens {
  return { total, cached: 0, written: {} };
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
