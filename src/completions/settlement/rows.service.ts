import { Injectable, Logger } from '@nestjs/common';
import { Observable, Subscriber } from 'rxjs';
import type { CachedAnswer } from '../../cache/cached-answer.js';
import { GatewayError, internalError } from '../../common/gateway.error.js';
import type { AdmissionRequest, ClosedCall, OpenCall } from '../../ledger/call-record.types.js';
import { type Allowance, UNLIMITED } from '../../limits/limits.service.js';
import { hostedTools } from '../../limits/paid-options.js';
import type { Model } from '../../models/model.types.js';
import type { Answer, ChatCompletionChunk, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../upstreams/contract/upstream.error.js';
import { ActiveCallsService } from '../active-calls.service.js';
import type { CompletionCall } from '../completion.call.js';
import { NO_TERMS, type RoutedAnswer, type RouteTerms, type SentAttempt, unrouted } from '../routing/routed-answer.js';
import { AnswerRecord } from './answer.record.js';
import { type CallError, CallRow, type OpenedCall } from './call-row.js';
import { promptCharge } from './charge.js';
import { RowParts } from './row-parts.js';

/** The maximum number of abandoned answers that a process reads to their end at the same time. */
const MAX_FINISHING = 256;

/** How long the usage of an answer is awaited whose caller left after its last word. */
const USAGE_WAIT_MS = 5000;

const CLIENT_CLOSED: CallError = { code: 'client_closed', status: null };

@Injectable()
export class RowsService {
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
      else allowance = await limits.open(call.caller, row, call.worstCase, () => this.freeAdmission(call));
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
      ...{ answerId: null, httpStatus: 200 },
      servedModel: call.model.id,
      ...{ upstream: null, upstreamModel: null, finishReason, errorCode: null },
      ...{ tokens, tokenSource: 'reported' },
      costNanodollars: 0n,
      charge: { cached: nanodollars },
      attempts: [],
      firstTokenMs: totalMs,
      totalMs,
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
  private termsOf(call: CompletionCall, { reserved, outputCeiling, isFreeOnly }: Allowance): RouteTerms {
    if (!reserved && outputCeiling === null && !isFreeOnly) return NO_TERMS;
    const hasTools = reserved && hostedTools(call.charged).length > 0;
    return {
      outputCeiling,
      paysOnce: Boolean(reserved),
      hostedCalls: hasTools ? this.parts.limits.hostedCalls(call.charged) : null,
      fallbacks: isFreeOnly ? this.freeModels(call) : null,
    };
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

/** Forwards an answer to the client, and ends after the call's row has been closed. */
export class MeteredAnswer extends Subscriber<Answer> {
  private isClosed = false;
  private abandoned: SentAttempt | null = null;
  private usageWait: NodeJS.Timeout | undefined;
  /** The last event of a native stream, held back until the row is closed. */
  private last: Answer | null = null;

  constructor(
    private readonly client: Subscriber<Answer>,
    private readonly record: AnswerRecord,
    private readonly row: CallRow,
    private readonly rows: RowsService,
  ) {
    super();
  }

  /** Calls the upstream, unless the call has ended while its row was opened. */
  begin(left: AbortSignal): void {
    if (left.aborted) this.abort(null);
    else if (this.record.cutOffBy) this.fail(this.record.cutOffBy);
    else this.follow();
  }

  cutOff(error: GatewayError): void {
    if (this.isClosed) return;
    const sent = this.abandoned ?? this.row.routed.sent;
    if (sent === null) {
      this.fail(error);
      return;
    }
    this.unsubscribe();
    const clientError = this.withLimits(error);
    const passOn = () => this.client.error(clientError);
    this.close('aborted', toCallError(clientError), passOn, passOn, sent);
  }

  abandon(): void {
    if (this.isClosed) this.unsubscribe();
    else if (this.abandoned === null) this.onDisconnect();
  }

  /**
   * The rest of the answer is read for its usage if the provider bills the whole of it anyway, and for a few seconds if
   * only the usage is missing.
   */
  private onDisconnect(): void {
    const { routed } = this.row;
    const { sent } = routed;
    const isBilledWhole = sent?.whenCallerLeaves === 'finish';
    if (sent !== null && (isBilledWhole || this.record.isComplete) && this.rows.mayFinish(this)) {
      this.abandoned = sent;
      if (!isBilledWhole) this.usageWait = setTimeout(() => this.stopWaiting(sent), USAGE_WAIT_MS);
      routed.stopTrying();
      routed.flow?.resume();
      return;
    }
    this.unsubscribe();
    this.abort(sent);
  }

  private stopWaiting(sent: SentAttempt): void {
    this.unsubscribe();
    this.abort(sent);
  }

  private follow(): void {
    try {
      this.row.routed.answer.subscribe(this);
    } catch (error) {
      this.fail(error);
    }
  }

  protected override _next(value: Answer): void {
    try {
      this.record.see(value);
      if (this.abandoned !== null || !isPart(value)) return;
      if (isLast(value)) {
        this.last = value;
        return;
      }
    } catch (error) {
      this.fail(error);
      return;
    }
    this.client.next(value);
  }

  protected override _error(error: unknown): void {
    this.fail(error);
  }

  private fail(error: unknown): void {
    if (this.isClosed) return;
    this.unsubscribe();
    if (this.abandoned !== null) {
      this.abort(asStopped(this.abandoned));
      return;
    }
    const clientError = this.withLimits(this.toClientError(error));
    const passOn = () => this.client.error(clientError);
    this.close('failed', toCallError(clientError), passOn, passOn);
  }

  protected override _complete(): void {
    if (this.abandoned !== null) this.abort(asStopped(this.abandoned));
    else if (this.record.isComplete) this.settle();
    else this.fail(upstreamIncomplete());
    this.unsubscribe();
  }

  private settle(): void {
    const sendError = (error: unknown) => this.client.error(error);
    const passOn = (usage: CompletionUsage) => {
      try {
        if (this.client.closed) this.row.keepUndelivered();
        else this.end(usage);
      } catch (error) {
        sendError(error);
      }
    };
    this.close('settled', null, passOn, sendError);
  }

  private end(usage: CompletionUsage): void {
    const { completion } = this.record;
    const { call, routed } = this.row;
    if (completion) {
      completion.usage = usage;
      this.client.next(completion);
    } else if (this.last !== null) {
      this.client.next(this.last);
    } else if (call.request.stream_options?.include_usage) {
      this.client.next(toUsageChunk(call, routed.served.model, usage));
    }
    this.client.complete();
  }

  private abort(sent: SentAttempt | null): void {
    this.close('aborted', CLIENT_CLOSED, noop, noop, sent);
  }

  /** Closes the row, then calls `onClosed` or `onFailed`. `unfinished`: the attempt at the client's disconnect. */
  private close(
    status: ClosedCall['status'],
    callError: CallError | null,
    onClosed: (usage: CompletionUsage) => void,
    onFailed: (error: unknown) => void,
    unfinished: SentAttempt | null = null,
  ): void {
    this.isClosed = true;
    clearTimeout(this.usageWait);
    this.row.close(status, callError, unfinished).then(
      (usage) => {
        this.rows.ended(this, this.record);
        onClosed(usage);
      },
      (error) => {
        this.rows.ended(this, this.record);
        onFailed(error);
      },
    );
  }

  /** Errors carry the caller's limit headers, too. */
  private withLimits(error: GatewayError): GatewayError {
    const { allowance } = this.row;
    return allowance === UNLIMITED ? error : error.with({}, allowance.headers);
  }

  private toClientError(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    this.rows.logFault(error, this.row.call);
    return internalError();
  }
}

function toOpenCall(call: CompletionCall): OpenCall {
  const { id, requestId, caller, model, api, request, charged, startedAt, estimatedInputTokens } = call;
  const { clientAddress, userAgent } = call;
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
    clientAddress,
    userAgent,
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

function toCallError({ status, body }: GatewayError): CallError {
  return { status, code: body.code };
}

/** For an upstream that has stopped sending: only the part that arrived is charged. */
function asStopped(sent: SentAttempt): SentAttempt {
  return { ...sent, whenCallerLeaves: 'stop' };
}

function noop(): void {}

/** A chunk with content, or a native event: neither a whole completion nor the usage chunk. */
function isPart(answer: Answer): boolean {
  return (
    answer.object === 'chat.completion.chunk' &&
    (answer.choices.length > 0 || !answer.usage || answer.nativeEvents !== undefined)
  );
}

function isLast(answer: Answer): boolean {
  return answer.object === 'chat.completion.chunk' && answer.nativeEvents?.isLast === true;
}

function toUsageChunk(call: CompletionCall, model: Model, usage: CompletionUsage): ChatCompletionChunk {
  const created = Math.floor(call.startedAt.getTime() / 1000);
  return { id: call.id, object: 'chat.completion.chunk', created, model: call.nameOf(model), choices: [], usage };
}
