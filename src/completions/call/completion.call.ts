import type { Caller } from '../../auth/caller.types.js';
import type { RequestContext } from '../../http/request-context.js';
import { LARGE_JSON } from '../../json/json-in-turns.js';
import type { Model } from '../../models/model.types.js';
import type { CallTrace } from '../../telemetry/traces/trace.types.js';
import type { TracesService } from '../../telemetry/traces/traces.service.js';
import type { AttemptCall } from '../../upstreams/attempt/attempt.service.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { ClientCall, NativeRequest, ReplyCall } from '../formats/call-format.js';
import type { Servable } from './servable-targets.service.js';

/**
 * One accepted call, immutable after admission. Later results are in `RoutedAnswer` (for the reply) and `AnswerRecord`
 * (for the ledger).
 */
export class CompletionCall implements ReplyCall {
  readonly requestId: string;
  readonly clientRequestId: string | undefined;
  readonly traceparent: string | undefined;
  /** From a request header. */
  readonly sessionId: string | undefined;
  /** Null when calls are not traced. */
  readonly trace: CallTrace | null;
  /** `performance.now()` at admission. */
  readonly startedMs = performance.now();
  /** In the inner form. */
  readonly request: ChatCompletionRequest;
  /** The request for limits and prices. */
  readonly charged: ChatCompletionRequest;
  readonly native: NativeRequest | null;
  readonly pathOf: ClientCall['pathOf'];
  readonly estimatedInputTokens: number;
  /** Whether the request's JSON is written in several turns of the event loop. */
  readonly isLarge: boolean;

  constructor(
    readonly id: string,
    context: RequestContext,
    readonly caller: Caller,
    readonly model: Model,
    /** `chat.completions`, `responses` … */
    readonly api: string,
    client: ClientCall,
    readonly startedAt: Date,
    /** At least one. */
    readonly servable: readonly Servable[],
    /** In the order of attempts. */
    readonly fallbacks: readonly Model[],
    traces: TracesService,
  ) {
    this.request = client.request;
    this.charged = client.charged;
    this.native = client.native;
    this.pathOf = client.pathOf;
    this.estimatedInputTokens = roughPromptTokens(client.charged);
    this.requestId = context.id;
    this.clientRequestId = context.clientRequestId;
    this.traceparent = context.traceparent;
    this.sessionId = context.sessionId;
    this.isLarge = context.body !== null && context.body.size >= LARGE_JSON;
    this.trace = traces.begin(this);
  }

  /** The requested model's id, or the alias that the client used. */
  get modelName(): string {
    return this.request.model;
  }

  /** The name of `model` in the answer. */
  nameOf(model: Model): string {
    return model === this.model ? this.modelName : model.id;
  }

  servedBy(model: Model): AttemptCall {
    if (model === this.model) return this;
    const { id, startedAt, traceparent, trace, isLarge } = this;
    return { id, startedAt, traceparent, trace, isLarge, modelName: model.id, model };
  }
}
