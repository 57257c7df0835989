import type { Observable } from 'rxjs';
import type { WhenCallerLeaves } from '../../config/upstream-protocol.js';
import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import type { Model } from '../../models/model.types.js';
import type { Flow } from '../../upstreams/client/upstream.types.js';
import type { Answer, UsageSoFar } from '../../upstreams/contract/chat.types.js';

/** What a reply needs besides the pieces of its answer, as far as it is known when it is asked for. */
export interface ReplyHead {
  /** Good until the reply's head is sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Back-pressure to whoever serves the call now; null while nobody does. */
  readonly flow: Flow | null;
  /** How long the client may leave an answer unread, in ms. */
  readonly unreadLimit: number;
}

/** An attempt under way whose request was sent: what it comes to if its caller leaves. */
export interface SentAttempt {
  readonly model: Model;
  /** `performance.now()` */
  readonly sentMs: number;
  readonly whenCallerLeaves: WhenCallerLeaves;
  usageSoFar(): UsageSoFar | undefined;
}

/** What the router brings for a call. */
export interface RoutedAnswer extends ReplyHead {
  /** Those begun so far. */
  readonly attempts: readonly AttemptRecord[];
  /** The model that serves, and the attempt by which it does; as long as nothing was answered, the last one. */
  readonly served: { readonly model: Model; readonly attempt: AttemptRecord | null; readonly isAnswered: boolean };
  /** To be subscribed once; nothing is asked before. Fails with a `GatewayError`; unsubscribing aborts whatever is under way. */
  readonly answer: Observable<Answer>;
  /** Of those under way the one that serves, or may come to; null where none was sent. */
  readonly sent: SentAttempt | null;
  /** What served when the time for the whole call was spent in the midst of its answer: the caller has had that much. */
  readonly overrun: SentAttempt | null;
  /** The caller has left: what serves may come to its end, and nothing else is tried. */
  stopTrying(): void;
  /** Before the answer is asked for: a choice may have no more tokens. */
  limitOutput(tokens: number): void;
}

/** How many attempts were made; every answer to a call says so. */
export function attemptHeaders(attempts: number): Record<string, string> {
  return { 'x-gateway-attempts': String(attempts) };
}
