import { Injectable, Logger } from '@nestjs/common';
import { defer, Observable, type Subscription, tap } from 'rxjs';
import { costOf } from '../../billing/price.js';
import type { ClosedCall, OpenCall, TokenCounts } from '../../billing/usage.types.js';
import { UsageLedgerService } from '../../billing/usage-ledger.service.js';
import { GatewayError } from '../../common/gateway.error.js';
import { internalError } from '../../common/gateway.errors.js';
import { ActiveCallsService } from '../active-calls.service.js';
import type { ChatCompletionChunk, CompletionUsage } from '../chat.types.js';
import type { Answer, CompletionCall } from '../completion.call.js';
import { upstreamIncomplete } from '../upstream/upstream.error.js';
import { AnswerRecord } from './answer.record.js';
import { countPromptTokens } from './prompt-tokens.js';
import { TokenCounter } from './token-counter.js';

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
  ) {}

  /** `answer` is called once the row stands. Fails with a `GatewayError`. */
  meter(call: CompletionCall, answer: () => Observable<Answer>): Observable<Answer> {
    return new Observable((subscriber) => {
      const record = new AnswerRecord(call);
      let phase: 'opening' | 'answering' | 'closed' = 'opening';
      let upstream: Subscription | undefined;
      let cutOff: GatewayError | undefined;

      const fail = (error: unknown): void => {
        if (phase !== 'answering') return;
        phase = 'closed';
        upstream?.unsubscribe();
        const told = error instanceof GatewayError ? error : internalError();
        const passOn = () => subscriber.error(error);
        this.close(call, record, 'failed', told.body.code).then(passOn, passOn).finally(leave);
      };
      const finish = (): void => {
        if (!record.isComplete) {
          fail(upstreamIncomplete());
          return;
        }
        phase = 'closed';
        this.complete(call, record)
          .then(
            (last) => {
              if (last) subscriber.next(last);
              subscriber.complete();
            },
            (error) => subscriber.error(error),
          )
          .finally(leave);
      };
      const pass = (value: Answer): void => {
        record.see(value);
        if (isPart(value)) subscriber.next(value);
      };
      const begin = (): void => {
        if (phase === 'closed') {
          this.abort(call, record).finally(leave);
          return;
        }
        phase = 'answering';
        if (cutOff) fail(cutOff);
        else upstream = answer().subscribe({ next: pass, error: fail, complete: finish });
      };
      const leave = this.active.enter((error) => {
        cutOff = error;
        fail(error);
      });
      this.ledger.open(toOpenCall(call)).then(begin, (error) => {
        subscriber.error(error);
        leave();
      });
      return () => {
        upstream?.unsubscribe();
        if (phase === 'answering') this.abort(call, record).finally(leave);
        phase = 'closed';
      };
    });
  }

  /** The client has left; the row is closed behind it. */
      const abort = (): void => {
        this.close(call, record, 'aborted', 'client_closed')
          .catch(() => undefined)
          .finally(leave);
      };
      const ask = (): void => {
        if (phase === 'closed') {
          abort();
          return;
        }
        phase = 'answering';
        if (cutOff) {
          fail(cutOff);
          return;
        }
        const seen = defer(answer).pipe(tap((value) => record.see(value)));
        upstream = seen.subscribe({
          next: (value) => isPart(value) && subscriber.next(value),
          error: fail,
          complete: finish,
        });
      };
      const leave = this.active.enter((error) => {
        cutOff = error;
        fail(error);
      });
      this.ledger.open(toOpenCall(call)).then(ask, (error) => {
        leave();
        subscriber.error(error);
      });
      return () => {
        upstream?.unsubscribe();
        if (phase === 'answering') abort();
        phase = 'closed';
      };
    });
  }

  private toTold(error: unknown, { requestId }: CompletionCall): GatewayError {
    if (error instanceof GatewayError) return error;
    this.logger.error(error, { requestId });
    return internalError();
  }

  /** Closes the row of an answer that is all there; returns what the client is still to be given of it. */
  private async complete(call: CompletionCall, record: AnswerRecord): Promise<Answer | null> {
    const usage = await this.close(call, record, 'settled', null);
    if (record.completion) return { ...record.completion, usage };
    return call.request.stream_options?.include_usage ? toUsageChunk(call, usage) : null;
  }

  /** Returns the usage that the row was closed with. */
  private async close(
    call: CompletionCall,
    record: AnswerRecord,
    status: ClosedCall['status'],
    errorCode: string | null,
  ): Promise<CompletionUsage> {
    const usage = record.usage ?? (await this.estimate(call, record));
    const tokens = toTokenCounts(usage);
    const last = call.attempts.at(-1);
    await this.ledger.close({
      ...toOpenCall(call),
      status,
      upstream: last?.upstream ?? null,
      upstreamModel: last?.upstreamModel ?? null,
      simulated: call.model.simulated,
      finishReason: record.finishReason,
      errorCode,
      tokens,
      tokenSource: record.usage ? 'reported' : 'estimated',
      costNanodollars: call.model.simulated ? 0n : costOf(tokens, call.model.price),
      attempts: call.attempts,
      firstTokenMs: record.firstTokenMs,
      totalMs: Math.round(performance.now() - call.startedMs),
    });
    return usage;
  }

  /** An upstream that was never reached, or answered nothing, has used nothing. */
  private async estimate(call: CompletionCall, { texts, firstTokenMs }: AnswerRecord): Promise<CompletionUsage> {
    if (firstTokenMs === null) return toUsage(0, 0);
    return toUsage(await countPromptTokens(call.request, this.tokens), await this.tokens.count(texts.join('')));
  }
}

/** A chunk with something of the answer in it: neither a whole completion nor the usage chunk. */
function isPart(answer: Answer): boolean {
  return answer.object === 'chat.completion.chunk' && (answer.choices.length > 0 || !answer.usage);
}

function toOpenCall({ id, requestId, caller, model, request, startedAt }: CompletionCall): OpenCall {
  return {
    id,
    startedAt,
    requestId,
    keyId: caller.keyId,
    userId: caller.userId,
    planId: caller.plan.id,
    model: model.id,
    stream: request.stream === true,
    priceVersion: model.price.version,
  };
}

function toUsageChunk({ id, startedAt, model }: CompletionCall, usage: CompletionUsage): ChatCompletionChunk {
  const created = Math.floor(startedAt.getTime() / 1000);
  return { id, object: 'chat.completion.chunk', created, model: model.id, choices: [], usage };
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
