import { Injectable, Logger } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { costOf } from '../../billing/price.js';
import { LimitsService } from '../../limits/limits.service.js';
import type { Model } from '../../models/model.types.js';
import { CallMetricsService } from '../../telemetry/metrics/call-metrics.service.js';
import type { Answer, ChatCompletionChunk, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import { countPromptTokens, roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import { UsageLedgerService } from '../../usage/ledger/usage-ledger.service.js';
import type { ClosedCall, OpenCall, TokenCounts } from '../../usage/usage.types.js';
import { ActiveCallsService } from '../active-calls.service.js';
import type { CompletionCall } from '../completion.call.js';
import type { RoutedAnswer } from '../routing/routed-answer.js';
import { AnswerRecord } from './answer.record.js';
import { MeteredAnswer } from './metered-answer.js';

/**
 * The ledger around an answer: the call's row is opened before the upstream is asked and closed before the end goes out,
 * however it ends. A whole completion and the usage of a stream are held back until then; the usage is passed on only if
 * the caller asked for it.
 */
@Injectable()
export class MeterService {
  private readonly logger = new Logger('Meter');

  constructor(
    private readonly ledger: UsageLedgerService,
    private readonly tokens: TokenCounter,
    private readonly active: ActiveCallsService,
    private readonly metrics: CallMetricsService,
    private readonly limits: LimitsService,
  ) {}

  /** What will be seen of a call's answer. */
  recordOf(call: CompletionCall): AnswerRecord {
    return new AnswerRecord(call, this.metrics);
  }

  /** What is routed is asked for once the row stands, unless the call is over by then. Fails with a `GatewayError`. */
  meter(call: CompletionCall, routed: RoutedAnswer, record: AnswerRecord): Observable<Answer> {
    record.attempts = routed.attempts;
    return new Observable((client) => {
      const opened = this.toOpenCall(call);
      const row = {
        open: () => this.open({ call, opened, routed, record, client }),
        close: (status: ClosedCall['status'], errorCode: string | null) =>
          this.close({ call, opened, routed, record, client }, status, errorCode),
      };
      const metered = new MeteredAnswer(client, record, row, {
        lastOf: (usage) => lastOf(call, routed.served.model, record, usage),
        opened: () => {
          record.isAccepted = true;
        },
        closed: () => leave(),
        fault: (fault) => this.logger.error(toError(fault), { requestId: call.requestId }),
      });
      const leave = this.active.enter((error) => metered.cutOff(error));
      void metered.begin(routed.answer);
      return () => metered.abandon();
    });
  }

  private async open({ call, opened, routed, record }: Metered): Promise<void> {
    record.leave = await this.limits.open(call.caller, opened);
    const ceiling = record.leave?.outputCeiling ?? null;
    if (ceiling !== null) routed.limitOutput(ceiling);
  }

  /** Returns the usage that the row was closed with. */
  private async close(
    { call, opened, routed, record, client }: Metered,
    status: ClosedCall['status'],
    errorCode: string | null,
  ): Promise<CompletionUsage> {
    const usage = record.usage ?? (await this.estimate(call, record));
    const tokens = toTokenCounts(usage);
    record.tokens = tokens;
    record.outcome = status;
    const { model, attempt: last, isAnswered } = routed.served;
    // Only the whole answer shows that it lacks its finish reason.
    if (status === 'failed' && errorCode !== null && last?.outcome === 'ok') last.outcome = errorCode;
    const closed: ClosedCall = {
      ...opened,
      priceVersion: model.price.version,
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
    this.metrics.ended(closed);
    call.trace?.end(closed);
    this.limits.ended(closed, record.leave);
    await this.ledger.close(closed);
    // It left while the row was being closed.
    if (status === 'settled' && client.closed) this.ledger.keepUndelivered(closed);
    return usage;
  }

  private toOpenCall({ id, requestId, caller, model, fallbacks, request, startedAt }: CompletionCall): OpenCall {
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
      ask: this.limits.ask(caller, request, [model, ...fallbacks], estimatedInputTokens),
    };
  }

  /** An upstream that was never reached, or answered nothing, has used nothing. */
  private async estimate(call: CompletionCall, { texts, firstTokenMs }: AnswerRecord): Promise<CompletionUsage> {
    if (firstTokenMs === null) return toUsage(0, 0);
    return toUsage(await countPromptTokens(call.request, this.tokens), await this.tokens.count(texts.join('')));
  }
}

interface Metered {
  readonly call: CompletionCall;
  readonly opened: OpenCall;
  readonly routed: RoutedAnswer;
  readonly record: AnswerRecord;
  readonly client: Subscriber<Answer>;
}

/** What was held back until the row was closed, as far as the client is to have it. */
function lastOf(call: CompletionCall, served: Model, { completion }: AnswerRecord, usage: CompletionUsage) {
  if (completion) return { ...completion, usage };
  return call.request.stream_options?.include_usage ? toUsageChunk(call, served, usage) : null;
}

function toUsageChunk({ id, startedAt }: CompletionCall, model: Model, usage: CompletionUsage): ChatCompletionChunk {
  const created = Math.floor(startedAt.getTime() / 1000);
  return { id, object: 'chat.completion.chunk', created, model: model.id, choices: [], usage };
}

/** What is thrown may be anything, even what cannot be made a text. */
function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error('a value that is no Error was thrown');
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
