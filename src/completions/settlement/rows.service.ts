import { Injectable, Logger } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { CachedAnswer } from '../../cache/cached-answer.js';
import { GatewayError, internalError } from '../../common/gateway.error.js';
import type { AdmissionRequest, ClosedCall, OpenCall } from '../../ledger/call-record.types.js';
import { type Allowance, type CheaperForm, UNLIMITED } from '../../limits/limits.service.js';
import { hostedTools } from '../../limits/paid-options.js';
import type { Model } from '../../models/model.types.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import { ActiveCallsService } from '../active-calls.service.js';
import type { CompletionCall } from '../completion.call.js';
import { NO_TERMS, type RoutedAnswer, type RouteTerms, unrouted } from '../routing/routed-answer.js';
import { AnswerRecord } from './answer.record.js';
import { CallRow, type OpenedCall } from './call-row.js';
import { promptCharge } from './charge.js';
import { MeteredAnswer, type MeteringRows, toCallError } from './metered-answer.js';
import { RowParts } from './row-parts.js';

/** The maximum number of abandoned answers that a process reads to their end at the same time. */
const MAX_FINISHING = 256;
const NO_FORMS: readonly CheaperForm[] = [];

@Injectable()
export class RowsService implements MeteringRows {
  private readonly logger = new Logger('Rows');
  private readonly finishing = new Set<MeteredAnswer>();

  constructor(
    private readonly parts: RowParts,
    private readonly active: ActiveCallsService,
  ) {}

  /**
   * Checks the limits of a call and opens its row. Rejects with a 429 that names a limit, or a 503 while rows cannot be
   * written. Call `settling` next: it closes the row.
   */
  async open(call: CompletionCall): Promise<OpenedCall> {
    this.active.assertOpen();
    const { ledger, limits, metrics, queue } = this.parts;
    const row = toOpenCall(call);
    const record = new AnswerRecord(call, metrics);
    const begunAt = queue.opening.begin();
    let allowance = UNLIMITED;
    this.active.enter(record);
    try {
      // Calls without limits need no decision, and no promise for it.
      if (call.worstCase === null) await ledger.open(row);
      else allowance = await limits.open(call.caller, row, call.worstCase, this.cheaperForms(call));
    } catch (error) {
      if (!this.mayBeginUnopened(error, call, row)) {
        this.active.leave(record);
        throw error;
      }
    } finally {
      queue.opening.end(begunAt);
    }
    return { call, row, allowance, terms: this.termsOf(call, allowance), record };
  }

  /**
   * The answer, until the client has left. Its row is closed before its end is passed on, however it ends: a whole
   * completion and the usage chunk are held back until then. The usage chunk is only passed on if the caller requested it.
   * Errors are `GatewayError`s.
   */
  settling(opened: OpenedCall, routed: RoutedAnswer, left: AbortSignal): Observable<Answer> {
    opened.record.attempts = routed.attempts;
    return new Observable((client) => {
      const metered = new MeteredAnswer(client, opened.record, new CallRow(this.parts, opened, routed), this);
      opened.record.answering = metered;
      metered.begin(left);
      return () => metered.abandon();
    });
  }

  /**
   * The row of a call that is answered from the cache, closed at once: it counts as one request and costs nothing.
   * Rejects with a 429 if the caller has no requests left.
   */
  async cached(call: CompletionCall, { tokens, finishReason, nanodollars }: CachedAnswer): Promise<OpenedCall> {
    this.active.assertOpen();
    const { ledger, limits, metrics } = this.parts;
    const headers = await limits.takeRequest(call.caller);
    const row: OpenCall = { ...toOpenCall(call), admissionRequest: null };
    const record = new AnswerRecord(call, metrics);
    const totalMs = Math.round(performance.now() - call.startedMs);
    const closed: ClosedCall = {
      ...row,
      status: 'settled',
      servedModel: call.model.id,
      ...{ answerId: null, httpStatus: 200, upstream: null, upstreamModel: null, finishReason, errorCode: null },
      ...{ tokens, tokenSource: 'reported' },
      costNanodollars: 0n,
      charge: { cached: nanodollars },
      ...{ attempts: [], firstTokenMs: totalMs, totalMs },
    };
    record.tokens = tokens;
    record.outcome = 'settled';
    metrics.ended(closed);
    call.trace?.end(closed);
    this.active.enter(record);
    ledger.beginUnopened();
    await ledger.close(closed).finally(() => this.active.leave(record));
    return { call, row, allowance: { ...UNLIMITED, headers }, terms: NO_TERMS, record };
  }

  /** Closes the row of a call that failed before its answer was followed. */
  async settleUnrouted(opened: OpenedCall): Promise<void> {
    const row = new CallRow(this.parts, opened, unrouted(opened.call));
    await row.close('failed', toCallError(internalError())).finally(() => this.active.leave(opened.record));
  }

  /** Called once, after the row was closed. */
  ended(answer: MeteredAnswer, record: AnswerRecord): void {
    this.active.leave(record);
    this.finishing.delete(answer);
  }

  /** Whether to read the answer to its end although its caller has disconnected. The number is limited per process. */
  mayFinish(answer: MeteredAnswer): boolean {
    if (this.finishing.size >= MAX_FINISHING) return false;
    this.finishing.add(answer);
    return true;
  }

  /** The client gets a generic error. */
  logFault(fault: unknown, { requestId }: CompletionCall): void {
    this.logger.error(toError(fault), { requestId });
  }

  /** A reservation pays for one attempt, and for a limited number of calls of the provider's tools. */
  private termsOf(call: CompletionCall, allowance: Allowance): RouteTerms {
    const { reserved, outputCeiling, hostedCalls: most, isFreeOnly } = allowance;
    if (!reserved && outputCeiling === null && !isFreeOnly) return NO_TERMS;
    const hasTools = reserved && hostedTools(this.parts.limits.priced(call.charged, call.model)).length > 0;
    const usual = hasTools ? this.parts.limits.hostedCalls(call.charged) : 0;
    return {
      outputCeiling: outputCeiling ?? (reserved ? reservedOutput(call) : null),
      paysOnce: Boolean(reserved),
      hostedCalls: hasTools ? { usual: Math.min(usual, most ?? usual), most } : null,
      fallbacks: isFreeOnly ? this.freeModels(call) : null,
    };
  }

  private cheaperForms(call: CompletionCall): readonly CheaperForm[] {
    const { caller, charged, model, fallbacks, worstCase } = call;
    if (!worstCase?.money) return NO_FORMS;
    const { limits } = this.parts;
    const models = [model, ...fallbacks];
    return [
      { request: () => limits.withFewestHostedCalls(caller, charged, models, worstCase), isFreeOnly: false },
      { request: () => this.freeAdmission(call), isFreeOnly: true },
    ];
  }

  /** What the call needs without its paid fallbacks. Null: its own model is not free, or no fallback is paid. */
  private freeAdmission(call: CompletionCall): AdmissionRequest | null {
    const free = this.freeModels(call);
    if (!free.includes(call.model) || free.length > call.fallbacks.length) return null;
    return this.parts.limits.admissionRequest(call.caller, call.charged, free, call.estimatedInputTokens);
  }

  private freeModels({ caller, charged, model, fallbacks }: CompletionCall): Model[] {
    const { limits } = this.parts;
    return [model, ...fallbacks].filter((one) => limits.worstCase(charged, [one], caller.userId).full === 0n);
  }

  /** Whether the database is unavailable and outage serving admits the call. Refusals by a limit are not 503s. */
  private mayBeginUnopened(error: unknown, call: CompletionCall, row: OpenCall): boolean {
    if (!(error instanceof GatewayError) || error.status !== 503) return false;
    const { caller, charged, model, fallbacks } = call;
    const { limits, serving } = this.parts;
    return serving.admit(row, () => limits.worstCase(charged, [model, ...fallbacks], caller.userId).full);
  }
}

/** The tokens that are reserved if the request allows more than its models have; null: as requested. */
function reservedOutput({ request, worstCase }: CompletionCall): number | null {
  const own = request.max_completion_tokens ?? request.max_tokens ?? 0;
  const { ceiling = own } = worstCase?.money ?? {};
  return own > ceiling ? ceiling : null;
}

function toOpenCall(call: CompletionCall): OpenCall {
  const { id, requestId, caller, model, api, request, charged, startedAt, estimatedInputTokens } = call;
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
    clientAddress: call.clientAddress,
    userAgent: call.userAgent,
    stream: request.stream === true,
    priceVersion: model.price.version,
    simulated: model.simulated,
    estimatedInputTokens,
    promptNanodollars: promptCharge(charged, model, estimatedInputTokens),
    admissionRequest: call.worstCase,
  };
}

/** Anything can be thrown, even values that cannot be converted to text. */
function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error('a value that is not an Error was thrown');
}
