import type { Caller } from '../auth/caller.types.js';
import type { RequestContext } from '../common/request-context.js';
import type { Model } from '../models/model.types.js';
import type { Flow } from '../upstreams/client/upstream.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import type { AttemptRecord } from '../usage/usage.types.js';

/** One accepted call, from admission to its end. What becomes known on the way is written here. */
export interface CompletionCall {
  /** `chatcmpl-…` */
  readonly id: string;
  readonly requestId: string;
  /** Of the request that the call came with; what its line in the log holds is written there. */
  readonly context: RequestContext;
  /** Of the caller's trace. */
  readonly traceparent: string | undefined;
  readonly caller: Caller;
  readonly model: Model;
  readonly request: ChatCompletionRequest;
  readonly startedAt: Date;
  /** `performance.now()` at admission. */
  readonly startedMs: number;
  /** Fields that were left out since the model cannot serve them. */
  readonly ignoredFields: readonly string[];
  /** Headers of the reply, good until its head is sent. */
  readonly replyHeaders: Record<string, string>;
  readonly attempts: AttemptRecord[];
  /** Back-pressure to whoever serves the call now; null while nobody does. */
  flow: Flow | null;
  /** How long the client may leave an answer unread, in ms. */
  unreadLimit: number;
}
