import type { Observable } from 'rxjs';
import type { Model } from '../../models/model.types.js';
import type { Flow } from '../../upstreams/client/upstream.types.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import type { AttemptRecord } from '../../usage/usage.types.js';

/** What a reply needs besides the pieces of its answer, as far as it is known when it is asked for. */
export interface ReplyHead {
  /** Good until the reply's head is sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Back-pressure to whoever serves the call now; null while nobody does. */
  readonly flow: Flow | null;
  /** How long the client may leave an answer unread, in ms. */
  readonly unreadLimit: number;
}

/** What the router brings for a call. */
export interface RoutedAnswer extends ReplyHead {
  /** Those begun so far. */
  readonly attempts: readonly AttemptRecord[];
  /** The model that serves, and the attempt by which it does; as long as nothing was answered, the last one. */
  readonly served: { readonly model: Model; readonly attempt: AttemptRecord | null; readonly isAnswered: boolean };
  /** To be subscribed once; nothing is asked before. Fails with a `GatewayError`; unsubscribing aborts whatever is under way. */
  readonly answer: Observable<Answer>;
  /** Before the answer is asked for: a choice may have no more tokens. */
  limitOutput(tokens: number): void;
}

/** How many attempts were made; every answer of the completion doors says so. */
export function attemptHeaders(attempts: number): Record<string, string> {
  return { 'x-gateway-attempts': String(attempts) };
}
