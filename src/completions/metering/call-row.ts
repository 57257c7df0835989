import { costOf } from '../../billing/price.js';
import { GatewayError } from '../../common/gateway.error.js';
import type { ChargeNotes, ClosedCall, OpenCall, TokenCounts } from '../../ledger/rows/call-record.types.js';
import type { LimitsService } from '../../limits/limits.service.js';
import { choicesOf, outputCeiling, worstCase } from '../../limits/worst-case.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../call/completion.call.js';
import type { RoutedAnswer, SentAttempt } from '../routing/routed-answer.js';
import type { AnswerRecord } from './answer.record.js';
import { chargeOf, promptCharge } from './charge.js';
import {
  type AbandonedCall,
  abandonedUsage,
  type ChargedUsage,
  NO_USAGE,
  reportedUsage,
  toTokenCounts,
  visibleUsage,
} from './charged-usage.js';
import type { RowParts } from './row-parts.js';

export interface CallError {
  readonly code: string | null;
  /** The status that was sent to the client; null: it had disconnected. */
  readonly status: number | null;
}

const OK = 200;

/** A call's row in the ledger: opened before the upstream is called, closed with the usage of the answer. */
export class CallRow {
  private readonly opened: OpenCall;
  private closed: ClosedCall | null = null;

  constructor(
    private readonly parts: RowParts,
    readonly call: CompletionCall,
    readonly routed: RoutedAnswer,
    private readonly record: AnswerRecord,
  ) {
    this.opened = toOpenCall(call, parts.limits);
  }

  async open(): Promise<void> {
    const { record } = this;
    const { limits, queue } = this.parts;
    const begunAt = queue.opening.begin();
    try {
      record.allowance = await limits.open(this.call.caller, this.opened);
    } catch (error) {
      if (!this.mayBeginUnopened(error)) throw error;
    } finally {
      queue.opening.end(begunAt);
    }
    const ceiling = record.allowance?.outputCeiling ?? null;
    if (ceiling !== null) this.routed.limitOutput(ceiling);
  }

  /** Whether the database is unavailable and outage serving admits the call. Refusals by a limit are not 503s. */
  private mayBeginUnopened(error: unknown): boolean {
    if (!(error instanceof GatewayError) || error.status !== 503) return false;
    const { charged, model, fallbacks } = this.call;
    return this.parts.serving.admit(this.opened, () => worstCase(charged, [model, ...fallbacks]).full);
  }

  /** Resolves to the usage in the closed row. `left`: the attempt in progress when the client disconnected. */
  async close(
    status: ClosedCall['status'],
    error: CallError | null,
    left: SentAttempt | null = null,
  ): Promise<CompletionUsage> {
    const { call, parts, record } = this;
    const found = (status === 'settled' && reportedUsage(record)) || (await this.found(status, left));
    if (found.isReported && left === null) this.noteSpeed(found.usage);
    record.tokens = toTokenCounts(found.usage);
    record.outcome = status;
    const closed = this.toClosedCall(record.tokens, found, status, error?.code ?? null, left !== null);
    this.closed = closed;
    parts.metrics.ended(closed);
    parts.uncharged.note(closed);
    call.trace?.end({ ...closed, httpStatus: this.httpStatusAfter(error) });
    parts.limits.ended(closed, record.allowance);
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
    if (this.closed) this.parts.ledger.keepUndelivered(this.closed);
  }

  /** 200 if the stream had started before the error. Null: no status was sent. */
  private httpStatusAfter(error: CallError | null): number | null {
    const hasBegun = this.call.request.stream === true && this.record.firstTokenMs !== null;
    return error === null || hasBegun ? OK : error.status;
  }

  /** Calls that were abandoned before a request was sent, and failed calls without output, have no usage. */
  private async found(status: ClosedCall['status'], left: SentAttempt | null): Promise<ChargedUsage> {
    const { call, parts, record } = this;
    if (left !== null) return abandonedUsage(record, this.toAbandonedCall(left), parts.tokens);
    const wasAnswered = status === 'settled' || (status === 'failed' && record.firstTokenMs !== null);
    if (!wasAnswered) return NO_USAGE;
    const { model } = this.routed.served;
    const mayHide =
      status === 'settled' && !call.model.simulated && reasons(model, call.request) && !record.showsReasoning;
    const hidden = mayHide ? (this.servedMs / 1000) * parts.speeds.of(model.id) : 0;
    return visibleUsage(record, { request: call.charged, ceiling: this.ceilingOf(model), hidden }, parts.tokens);
  }

  private toAbandonedCall({ model, sentMs, whenCallerLeaves, usageSoFar }: SentAttempt): AbandonedCall {
    const { call, parts, record } = this;
    const { request } = call;
    const seconds = (performance.now() - sentMs) / 1000;
    // A whole answer that arrived after its caller disconnected has no more hidden tokens than any other.
    const isUnseen = request.stream !== true && !record.isComplete;
    const mayHide = !call.model.simulated && (isUnseen || reasons(model, request));
    return {
      request: call.charged,
      reported: usageSoFar(),
      ceiling: this.ceilingOf(model),
      hidden: mayHide ? seconds * parts.speeds.of(model.id) : 0,
      isBilledWhole: whenCallerLeaves === 'finish',
    };
  }

  private ceilingOf(model: Model): number {
    const { request } = this.call;
    return (this.record.allowance?.outputCeiling ?? outputCeiling(request, [model])) * choicesOf(request);
  }

  private get servedMs(): number {
    const { attempt } = this.routed.served;
    return attempt === null ? 0 : performance.now() - this.call.startedMs - attempt.startMs;
  }

  /** Ignores reports above the ceiling, which cannot be right. */
  private noteSpeed({ completion_tokens: tokens }: CompletionUsage): void {
    const { model, attempt } = this.routed.served;
    if (attempt === null || tokens > this.ceilingOf(model)) return;
    this.parts.speeds.note(model.id, tokens, this.servedMs);
  }

  /** Lists each field, as spreading objects with this many fields copies them several times. */
  private toClosedCall(
    tokens: TokenCounts,
    found: ChargedUsage,
    status: ClosedCall['status'],
    errorCode: string | null,
    isLeft: boolean,
  ): ClosedCall {
    const { call, opened, record, routed } = this;
    const { model, attempt: last, isAnswered } = routed.served;
    const { nanodollars, notes } = chargeOf(found, tokens, {
      request: record.isNative ? call.charged : call.request,
      model,
      reserved: record.allowance?.reserved ?? null,
      isLeft,
      isFailed: status === 'failed' && !isLeft,
    });
    if (status === 'failed' && !isLeft && last !== null && found !== NO_USAGE) {
      last.estimatedCostNanodollars = Number(costOf(tokens, model.price));
    }
    // A missing finish reason is only noticed at the end of the answer.
    if (status === 'failed' && errorCode !== null && last?.outcome === 'ok') last.outcome = errorCode;
    return {
      id: opened.id,
      startedAt: opened.startedAt,
      requestId: opened.requestId,
      keyId: opened.keyId,
      keyDisplay: opened.keyDisplay,
      userId: opened.userId,
      planId: opened.planId,
      model: opened.model,
      api: opened.api,
      stream: opened.stream,
      priceVersion: model.price.version,
      simulated: opened.simulated,
      estimatedInputTokens: opened.estimatedInputTokens,
      promptNanodollars: opened.promptNanodollars,
      admissionRequest: opened.admissionRequest,
      status,
      servedModel: isAnswered ? model.id : null,
      upstream: last?.upstream ?? null,
      upstreamModel: last?.upstreamModel ?? null,
      finishReason: record.finishReason,
      errorCode,
      tokens,
      tokenSource: found.isReported ? 'reported' : 'estimated',
      costNanodollars: nanodollars,
      charge: withCeiling(notes, record.allowance?.outputCeiling ?? null),
      attempts: routed.attempts,
      firstTokenMs: record.firstTokenMs,
      totalMs: Math.round(performance.now() - call.startedMs),
    };
  }
}

function withCeiling(notes: ChargeNotes | null, outputCeiling: number | null): ChargeNotes | null {
  return outputCeiling === null ? notes : { ...notes, outputCeiling };
}

function toOpenCall(
  { id, requestId, caller, model, api, fallbacks, request, charged, startedAt, estimatedInputTokens }: CompletionCall,
  limits: LimitsService,
): OpenCall {
  return {
    id,
    startedAt,
    requestId,
    keyId: caller.keyId,
    keyDisplay: caller.keyDisplay,
    userId: caller.userId,
    planId: caller.plan.id,
    model: model.id,
    api,
    stream: request.stream === true,
    priceVersion: model.price.version,
    simulated: model.simulated,
    estimatedInputTokens,
    promptNanodollars: promptCharge(charged, model, estimatedInputTokens),
    admissionRequest: limits.admissionRequest(caller, charged, [model, ...fallbacks], estimatedInputTokens),
  };
}

function reasons({ capabilities }: Model, { reasoning_effort: effort }: ChatCompletionRequest): boolean {
  return effort !== 'none' && (capabilities?.includes('reasoning') || typeof effort === 'string');
}
