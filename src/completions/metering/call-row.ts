import { costOf } from '../../billing/price.js';
import type { LimitsService } from '../../limits/limits.service.js';
import type { CallMetricsService } from '../../telemetry/metrics/call-metrics.service.js';
import type { CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { countPromptTokens, roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import type { UsageLedgerService } from '../../usage/ledger/usage-ledger.service.js';
import type { ClosedCall, OpenCall, TokenCounts } from '../../usage/usage.types.js';
import type { CompletionCall } from '../completion.call.js';
import type { OwnQueue } from '../overload/own-queue.js';
import type { RoutedAnswer } from '../routing/routed-answer.js';
import type { AnswerRecord } from './answer.record.js';

/** What the rows of all calls are written with. */
export interface RowParts {
  readonly ledger: UsageLedgerService;
  readonly tokens: TokenCounter;
  readonly metrics: CallMetricsService;
  readonly limits: LimitsService;
  readonly queue: OwnQueue;
}

/** A call's row in the ledger: opened with what is known of the call, closed with what was seen of its answer. */
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
      record.leave = await limits.open(this.call.caller, this.opened);
    } finally {
      queue.opening.end(begunAt);
    }
    const ceiling = record.leave?.outputCeiling ?? null;
    if (ceiling !== null) this.routed.limitOutput(ceiling);
  }

  /** Resolves to the usage that the row was closed with. */
  async close(status: ClosedCall['status'], errorCode: string | null): Promise<CompletionUsage> {
    const { call, parts, record } = this;
    const usage = record.usage ?? (await this.estimate());
    record.tokens = toTokenCounts(usage);
    record.outcome = status;
    const closed = this.toClosedCall(record.tokens, status, errorCode);
    this.closed = closed;
    parts.metrics.ended(closed);
    call.trace?.end(closed);
    parts.limits.ended(closed, record.leave);
    const begunAt = parts.queue.closing.begin();
    try {
      await parts.ledger.close(closed);
    } finally {
      parts.queue.closing.end(begunAt);
    }
    return usage;
  }

  /** The client left while the row was being closed. */
  keepUndelivered(): void {
    if (this.closed) this.parts.ledger.keepUndelivered(this.closed);
  }

  /** An upstream that was never reached, or answered nothing, has used nothing. */
  private async estimate(): Promise<CompletionUsage> {
    const { texts, length, firstTokenMs } = this.record;
    const { tokens } = this.parts;
    if (firstTokenMs === null) return toUsage(0, 0);
    const kept = texts.join('');
    const output = await tokens.count(kept);
    // What was not kept is taken to be like the rest.
    const all = kept.length < length ? Math.round((output * length) / kept.length) : output;
    return toUsage(await countPromptTokens(this.call.request, tokens), all);
  }

  /** Named one by one: an object that is spread into another of so many fields is copied several times as that grows. */
  private toClosedCall(tokens: TokenCounts, status: ClosedCall['status'], errorCode: string | null): ClosedCall {
    const { call, opened, record, routed } = this;
    const { model, attempt: last, isAnswered } = routed.served;
    // Only the whole answer shows that it lacks its finish reason.
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
      stream: opened.stream,
      priceVersion: model.price.version,
      simulated: opened.simulated,
      estimatedInputTokens: opened.estimatedInputTokens,
      ask: opened.ask,
      status,
      servedModel: isAnswered ? model.id : null,
      upstream: last?.upstream ?? null,
      upstreamModel: last?.upstreamModel ?? null,
      finishReason: record.finishReason,
      errorCode,
      tokens,
      tokenSource: record.usage ? 'reported' : 'estimated',
      costNanodollars: call.model.simulated ? 0n : costOf(tokens, model.price),
      attempts: routed.attempts,
      firstTokenMs: record.firstTokenMs,
      totalMs: Math.round(performance.now() - call.startedMs),
    };
  }
}

function toOpenCall(
  { id, requestId, caller, model, fallbacks, request, startedAt }: CompletionCall,
  limits: LimitsService,
): OpenCall {
  const estimatedInputTokens = roughPromptTokens(request);
  return {
    id,
    startedAt,
    requestId,
    keyId: caller.keyId,
    keyDisplay: caller.keyDisplay,
    userId: caller.userId,
    planId: caller.plan.id,
    model: model.id,
    stream: request.stream === true,
    priceVersion: model.price.version,
    simulated: model.simulated,
    estimatedInputTokens,
    ask: limits.ask(caller, request, [model, ...fallbacks], estimatedInputTokens),
  };
}

function toUsage(prompt: number, completion: number): CompletionUsage {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function toTokenCounts(usage: CompletionUsage): TokenCounts {
  return {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
