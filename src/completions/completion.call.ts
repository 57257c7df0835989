import type { Caller } from '../auth/caller.types.js';
import type { RequestContext } from '../http/request-context.js';
import { LARGE_JSON } from '../json/json-in-turns.js';
import type { AdmissionRequest } from '../ledger/call-record.types.js';
import type { LimitsService } from '../limits/limits.service.js';
import type { Model } from '../models/model.types.js';
import type { CallTrace } from '../telemetry/trace.types.js';
import type { TracesService } from '../telemetry/traces.service.js';
import type { AttemptCall } from '../upstreams/attempt.service.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import type { HostedCallLimits } from '../upstreams/contract/provider.adapter.js';
import { roughPromptTokens } from '../upstreams/tokens/prompt-tokens.js';
import type { Servable } from './admission/servable-targets.service.js';
import type { ClientCall, NativeRequest, ReplyCall } from './formats/call-format.js';

/**
 * One call, immutable. What changes later is in `RoutedAnswer` (for routing) and `AnswerRecord` (for settlement).
 */
export class CompletionCall implements ReplyCall {
  readonly requestId: string;
  readonly ownerId: string;
  readonly clientRequestId: string | undefined;
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
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
  /** What it needs at most of its caller's limits, whichever model serves it; null: the caller has no limits. */
  readonly worstCase: AdmissionRequest | null;
  /** Whether the request's JSON is written in several turns of the event loop. */
  readonly isLarge: boolean;

  constructor(
    readonly id: string,
    context: RequestContext,
    readonly caller: Caller,
    readonly model: Model,
    /** `chat.completions`, `responses` … */
    readonly api: string,
    readonly client: ClientCall,
    readonly startedAt: Date,
    /** At least one. */
    readonly servable: readonly Servable[],
    /** In the order of attempts. */
    readonly fallbacks: readonly Model[],
    limits: LimitsService,
    traces: TracesService,
  ) {
    this.request = client.request;
    this.charged = client.charged;
    this.native = client.native;
    this.pathOf = client.pathOf;
    this.estimatedInputTokens = roughPromptTokens(client.charged, model.tokenFactor);
    const { charged, estimatedInputTokens } = this;
    this.worstCase = limits.admissionRequest(caller, charged, [model, ...fallbacks], estimatedInputTokens);
    this.requestId = context.id;
    this.ownerId = context.ownerId ?? '';
    this.clientRequestId = context.clientRequestId;
    this.clientAddress = context.clientAddress;
    this.userAgent = context.userAgent;
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

  /** `hostedCalls`: the most calls of a tool with a price; null: as many as the request allows. */
  servedBy(model: Model, hostedCalls: HostedCallLimits | null): AttemptCall {
    const maxHostedCalls = model.price.hostedTools.size > 0 ? hostedCalls : null;
    if (model === this.model && maxHostedCalls === null) return this;
    const { id, startedAt, ownerId, traceparent, trace, isLarge } = this;
    const modelName = this.nameOf(model);
    return { id, startedAt, ownerId, traceparent, trace, isLarge, modelName, model, maxHostedCalls };
  }
}
