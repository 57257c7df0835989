import type { Caller } from '../../auth/caller.types.js';
import type { RequestContext } from '../../http/request-context.js';
import { LARGE_JSON } from '../../json/json-in-turns.js';
import type { Model } from '../../models/model.types.js';
import type { CallTrace } from '../../telemetry/traces/trace.types.js';
import type { TracesService } from '../../telemetry/traces/traces.service.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { Servable } from './servable-targets.service.js';

/**
 * One accepted call, as admission knew it; nothing of it changes. What is learned on the way comes back with the answer:
 * `RoutedAnswer` has what the reply needs besides the answer's pieces, `AnswerRecord` what its row does.
 */
export class CompletionCall {
  readonly requestId: string;
  /** What the caller calls the request. */
  readonly clientRequestId: string | undefined;
  /** Of the caller's trace. */
  readonly traceparent: string | undefined;
  /** The session that a header of the request names. */
  readonly sessionId: string | undefined;
  /** Null where calls are not traced. */
  readonly trace: CallTrace | null;
  /** `performance.now()` at admission. */
  readonly startedMs = performance.now();
  /** Its JSON is written in several turns of the event loop. */
  readonly isLarge: boolean;

  constructor(
    /** `chatcmpl-…` */
    readonly id: string,
    context: RequestContext,
    readonly caller: Caller,
    readonly model: Model,
    readonly request: ChatCompletionRequest,
    readonly startedAt: Date,
    /** What of the model can serve the request: at least one. */
    readonly servable: readonly Servable[],
    /** The models that may serve in its place, in their order. */
    readonly fallbacks: readonly Model[],
    traces: TracesService,
  ) {
    this.requestId = context.id;
    this.clientRequestId = context.clientRequestId;
    this.traceparent = context.traceparent;
    this.sessionId = context.sessionId;
    this.isLarge = context.body !== null && context.body.size >= LARGE_JSON;
    this.trace = traces.begin(this);
  }

  /** The same for another model that serves it. */
  servedBy(model: Model): Pick<CompletionCall, 'id' | 'startedAt' | 'traceparent' | 'trace' | 'isLarge' | 'model'> {
    const { id, startedAt, traceparent, trace, isLarge } = this;
    return model === this.model ? this : { id, startedAt, traceparent, trace, isLarge, model };
  }
}
