import { costOf } from '../../billing/price.js';
import type { AttemptRecord, ChargeNotes, ClosedCall, OpenCall, TokenCounts } from '../../ledger/call-record.types.js';
import type { Allowance } from '../../limits/limits.service.js';
import { hostedTools } from '../../limits/paid-options.js';
import { choicesOf, outputCeiling } from '../../limits/worst-case.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { mediaIn, withoutUnsent } from '../../upstreams/tokens/native-walk.js';
import { scaledCounter } from '../../upstreams/tokens/token-counter.js';
import type { CompletionCall } from '../completion.call.js';
import type { RoutedAnswer, RouteTerms, SentAttempt, UnusableAttempt } from '../routing/routed-answer.js';
import type { AnswerRecord } from './answer.record.js';
import { type Charge, type ChargedCall, chargeOf, shownCalls, withOthers } from './charge.js';
import {
  type AbandonedCall,
  abandonedUsage,
  type ChargedUsage,
  NO_USAGE,
  NOTHING_SEEN,
  reportedUsage,
  sumOfCounts,
  toTokenCounts,
  visibleUsage,
} from './charged-usage.js';
import { reasons } from './reasoning.js';
import type { RowParts } from './row-parts.js';

export interface CallError {
  readonly code: string | null;
  /** The status that was sent to the client; null: it had disconnected. */
  readonly status: number | null;
}

interface UnusableCost extends Pick<Charge, 'nanodollars'>, Pick<ChargedUsage, 'isReported'> {
  readonly tokens: TokenCounts;
}

const OK = 200;
/** Of a stream whose caller reads it. Providers go on writing while an answer is not read. */
const MOST_PAUSED_MS = 1000;
/** The share of the time of an answer in which it must have come for that to be the time of its generation. */
const LEAST_SEEN = 0.1;
const NO_OTHERS: readonly UnusableCost[] = [];

/** A call whose limits, if it has any, were checked. What changes until its end is in `record`. */
export interface OpenedCall {
  readonly call: CompletionCall;
  readonly row: OpenCall;
  readonly allowance: Allowance;
  readonly terms: RouteTerms;
  readonly record: AnswerRecord;
}

/** Closes the row of a call with the usage of its answer. */
export class CallRow {
  readonly call: CompletionCall;
  readonly allowance: Allowance;
  private readonly record: AnswerRecord;

  constructor(
    private readonly parts: RowParts,
    private readonly opened: OpenedCall,
    readonly routed: RoutedAnswer,
  ) {
    this.call = opened.call;
    this.allowance = opened.allowance;
    this.record = opened.record;
  }

  /** Resolves to the usage in the closed row. `left`: the attempt in progress when the client disconnected. */
  async close(
    status: ClosedCall['status'],
    error: CallError | null,
    left: SentAttempt | null = null,
  ): Promise<CompletionUsage> {
    const { call, parts, record } = this;
    const { unusable } = this.routed;
    // A failed call is charged for its last unusable answer as others are for theirs.
    const failed = isOfLast(unusable, status, left) ? (unusable.at(-1) ?? null) : null;
    const found = failed
      ? await this.usageOf(failed)
      : (status === 'settled' && reportedUsage(record.usage)) || (await this.found(status, left));
    if (found.isReported && left === null && failed === null) this.noteSpeed(found.usage);
    const rest = failed ? unusable.slice(0, -1) : unusable;
    const others = rest.length === 0 ? NO_OTHERS : await Promise.all(rest.map((one) => this.costOf(one)));
    const closed = this.toClosedCall(found, others, status, error, failed ?? left);
    record.tokens = closed.tokens;
    record.outcome = status;
    record.closed = closed;
    parts.metrics.ended(closed);
    parts.uncharged.note(closed);
    call.trace?.end(closed);
    parts.limits.ended(closed, this.allowance);
    parts.serving.ended(closed);
    const begunAt = parts.queue.closing.begin();
    try {
      await parts.ledger.close(closed);
    } finally {
      parts.queue.closing.end(begunAt);
    }
    return found.usage;
  }

  keepUndelivered(): void {
    const { closed } = this.record;
    if (closed) this.parts.ledger.keepUndelivered(closed);
  }

  /** Whether nothing shows the calls of the provider's tools, each of which is billed, before the answer ends. */
  hidesTools({ model, isNative }: SentAttempt): boolean {
    if (this.call.request.stream === true || !model.price.isPaid || model.simulated) return false;
    return hostedTools(this.parts.limits.priced(this.pricedRequest(isNative), model)).length > 0;
  }

  /** 200 if the stream had started before the error. Null: no status was sent. */
  private httpStatusAfter(error: CallError | null): number | null {
    return error === null || this.record.isHeadSent ? OK : error.status;
  }

  /** Calls that were abandoned before a request was sent, and failed calls without output or a report, have no usage. */
  private async found(status: ClosedCall['status'], left: SentAttempt | null): Promise<ChargedUsage> {
    const { call, parts, record } = this;
    if (left !== null) {
      return abandonedUsage(record, this.toAbandonedCall(left), scaledCounter(parts.tokens, left.model.tokenFactor));
    }
    const ofFailure = status === 'failed' ? reportedUsage(record.usage) : null;
    if (ofFailure !== null) return ofFailure;
    const wasAnswered = status === 'settled' || (status === 'failed' && record.firstTokenMs !== null);
    if (!wasAnswered) return NO_USAGE;
    const { model } = this.routed.served;
    const mayHide =
      status === 'settled' && !call.model.simulated && reasons(model, call.charged) && !record.showsReasoning;
    const hidden = mayHide ? this.writtenIn(this.servedMs, model) : 0;
    return visibleUsage(
      record,
      {
        request: withoutUnsent(call.charged, this.routed.sent?.leftOut ?? []),
        reported: this.routed.sent?.usageSoFar(),
        ceiling: this.ceilingOf(model),
        hidden,
      },
      scaledCounter(parts.tokens, model.tokenFactor),
    );
  }

  private async usageOf(attempt: UnusableAttempt): Promise<ChargedUsage> {
    const reported = reportedUsage(attempt.usage);
    if (reported && !attempt.isLate) {
      return attempt.isEstimated ? { ...reported, isReported: false, basis: 'visible' } : reported;
    }
    const { tokenFactor } = attempt.model;
    const record = attempt.hadBegun ? this.record : NOTHING_SEEN;
    const counter = scaledCounter(this.parts.tokens, tokenFactor);
    const { isRefused = false } = attempt;
    const call = this.toAbandonedCall(attempt);
    const hasEnded = isRefused || (attempt.hadBegun && this.record.isComplete);
    const billed = { ...call, ...(hasEnded && { isBilledWhole: false }), ...(isRefused && { hidden: 0 }) };
    const estimated = await abandonedUsage(record, billed, counter);
    return reported && reported.usage.total_tokens >= estimated.usage.total_tokens ? reported : estimated;
  }

  private async costOf(attempt: UnusableAttempt): Promise<UnusableCost> {
    const { model } = attempt;
    const found = await this.usageOf(attempt);
    const tokens = toTokenCounts(found.usage, model.price, this.call.charged);
    const { nanodollars } = chargeOf(found, tokens, this.chargedCall(attempt, null, true, attempt.hostedCalls()));
    return { tokens, nanodollars, isReported: found.isReported };
  }

  private toAbandonedCall({
    model,
    sentMs,
    endedMs = performance.now(),
    leftOut,
    whenCallerLeaves,
    isNative,
    pausedMs,
    usageSoFar,
    unread,
    hostedCalls,
    rereadsPrompt,
  }: SentAttempt): AbandonedCall {
    const { call, record } = this;
    const { request } = call;
    // A whole answer that arrived after its caller disconnected has no more hidden tokens than any other.
    const isUnseen = (request.stream !== true || pausedMs() > MOST_PAUSED_MS) && !record.isComplete;
    const mayHide = !call.model.simulated && model.kind === 'chat' && (isUnseen || reasons(model, call.charged));
    return {
      request: withoutUnsent(call.charged, leftOut),
      reported: usageSoFar(),
      unread: unread(),
      ceiling: this.ceilingOf(model),
      contextLength: model.contextLength,
      shownCalls: shownCalls(this.parts.limits.priced(this.pricedRequest(isNative), model), hostedCalls()),
      rereadsPrompt,
      hidden: mayHide ? this.writtenIn(endedMs - sentMs, model) : 0,
      isBilledWhole: whenCallerLeaves === 'finish',
    };
  }

  /** The tokens that a model usually writes in this time. Choices are written side by side. */
  private writtenIn(ms: number, { id }: Model): number {
    return (ms / 1000) * this.parts.speeds.of(id) * choicesOf(this.call.request);
  }

  private ceilingOf(model: Model): number {
    const { request } = this.call;
    return (this.allowance.outputCeiling ?? outputCeiling(request, [model])) * choicesOf(request);
  }

  private pricedRequest(isNative: boolean): ChatCompletionRequest {
    return isNative ? this.call.charged : this.call.request;
  }

  private chargedCall(
    { model, isNative, leftOut, isRefused = false }: Pick<SentAttempt, 'model' | 'isNative' | 'leftOut' | 'isRefused'>,
    reserved: bigint | null,
    isLeft: boolean,
    hostedCalls: ChargedCall['hostedCalls'],
  ): ChargedCall {
    // An option that was not sent neither costs more nor less.
    const request = this.parts.limits.priced(withoutUnsent(this.pricedRequest(isNative), leftOut), model);
    const searchesUnasked = model.price.hostedTools.size > 0 && this.parts.limits.alwaysSearches(request, model);
    const facts = { isLeft, isFailed: false, isRefused, servedTier: null, hostedCalls, searchesUnasked };
    return { request, model, reserved, ...facts };
  }

  private get servedMs(): number {
    const { attempt } = this.routed.served;
    return attempt === null ? 0 : performance.now() - this.call.startedMs - attempt.startMs;
  }

  /** Ignores reports above the ceiling, which cannot be right. */
  private noteSpeed({ completion_tokens: tokens, completion_tokens_details: details }: CompletionUsage): void {
    const { call, record, routed, parts } = this;
    const { model, attempt } = routed.served;
    if (attempt === null || record.firstTokenMs === null || tokens > this.ceilingOf(model)) return;
    // Hidden reasoning is generated before the first token, and so are calls and answers that come whole.
    const isHidden = !record.showsReasoning && (details?.reasoning_tokens ?? 0) > 0;
    const { servedMs } = this;
    const sinceFirstToken = performance.now() - call.startedMs - record.firstTokenMs;
    const isSeen = !isHidden && sinceFirstToken >= servedMs * LEAST_SEEN;
    if (call.request.stream === true || isHidden) {
      const ofOne = tokens / choicesOf(call.request);
      parts.speeds.note(model.id, call.caller.userId, ofOne, isSeen ? sinceFirstToken : servedMs);
    }
  }

  /** Lists each field, as spreading objects with this many fields copies them several times. */
  private toClosedCall(
    found: ChargedUsage,
    others: readonly UnusableCost[],
    status: ClosedCall['status'],
    error: CallError | null,
    unfinished: SentAttempt | null,
  ): ClosedCall {
    const { call, record, routed, allowance } = this;
    const errorCode = error?.code ?? null;
    const { row } = this.opened;
    const { attempt: last, isAnswered, reported } = routed.served;
    const { isNative = false, leftOut = [] } = routed.sent ?? {};
    const priced = unfinished ?? { ...routed.served, isNative, leftOut };
    const { model } = priced;
    const tokens = toTokenCounts(found.usage, model.price, call.charged);
    const isFree = status === 'failed' && unfinished === null && !found.isReported;
    const { reserved } = allowance;
    const hostedCalls = unfinished ? unfinished.hostedCalls() : (reported?.hostedCalls ?? null);
    const charge = chargeOf(found, tokens, {
      ...this.chargedCall(priced, reserved, unfinished !== null, hostedCalls),
      isFailed: isFree,
      servedTier: reported?.servedTier ?? null,
    });
    const { nanodollars, notes } = others === NO_OTHERS ? charge : withOthers(charge, others, reserved);
    if (notes?.overReserved) notes.underestimated = underestimated(call.charged, tokens, this.ceilingOf(model));
    noteAnsweredModel(last, reported?.servedModel);
    if (isFree && last !== null && found !== NO_USAGE) {
      last.estimatedCostNanodollars = Number(costOf(tokens, model.price));
    }
    // A missing finish reason is only noticed at the end of the answer.
    if (status === 'failed' && errorCode !== null && last?.outcome === 'ok') last.outcome = errorCode;
    return {
      id: row.id,
      startedAt: row.startedAt,
      requestId: row.requestId,
      keyId: row.keyId,
      keyDisplay: row.keyDisplay,
      userId: row.userId,
      planId: row.planId,
      model: row.model,
      api: row.api,
      clientAddress: row.clientAddress,
      userAgent: row.userAgent,
      stream: row.stream,
      priceVersion: model.price.version,
      simulated: row.simulated,
      estimatedInputTokens: row.estimatedInputTokens,
      promptNanodollars: row.promptNanodollars,
      admissionRequest: row.admissionRequest,
      status,
      answerId: record.isNative ? (reported?.answerId ?? null) : null,
      httpStatus: this.httpStatusAfter(error),
      servedModel: isAnswered ? model.id : null,
      upstream: last?.upstream ?? null,
      upstreamModel: last?.upstreamModel ?? null,
      finishReason: record.finishReason,
      errorCode,
      tokens: others === NO_OTHERS ? tokens : others.map((one) => one.tokens).reduce(sumOfCounts, tokens),
      tokenSource: found.isReported && others.every(({ isReported }) => isReported) ? 'reported' : 'estimated',
      costNanodollars: nanodollars,
      charge: withCeiling(notes, allowance.outputCeiling),
      attempts: routed.attempts,
      firstTokenMs: record.firstTokenMs,
      totalMs: Math.round(performance.now() - call.startedMs),
    };
  }
}

/** Whether the call ended with the last of these attempts, which may have failed after its caller had left. */
function isOfLast(
  unusable: readonly UnusableAttempt[],
  status: ClosedCall['status'],
  left: SentAttempt | null,
): boolean {
  return left === null ? status === 'failed' : unusable.at(-1)?.sentMs === left.sentMs;
}

/** What costs most if it is estimated too low comes first. */
function underestimated(request: ChatCompletionRequest, { output }: TokenCounts, ceiling: number): string {
  if (output > ceiling) return 'output';
  const [tool] = hostedTools(request);
  if (tool) return tool.family;
  const media = mediaIn(request);
  return (['reference', 'file', 'sound', 'image'] as const).find((kind) => media.has(kind)) ?? 'text';
}

/** Providers answer for retired names with other models, which can have other prices. */
function noteAnsweredModel(attempt: AttemptRecord | null, answered: string | null | undefined): void {
  if (!attempt || !answered) return;
  const [called, served] = [attempt.upstreamModel, answered].map((name) => name.toLowerCase());
  // Answers often name the version of the model: `gpt-6.1-sol-2026-09-29`.
  if (!called || !served || served.includes(called) || called.includes(served)) return;
  attempt.answeredModel = answered;
}

function withCeiling(notes: ChargeNotes | null, outputCeiling: number | null): ChargeNotes | null {
  return outputCeiling === null ? notes : { ...notes, outputCeiling };
}
