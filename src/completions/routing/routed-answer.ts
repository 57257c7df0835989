import type { Observable } from 'rxjs';
import type { WhenCallerLeaves } from '../../config/upstream-protocol.js';
import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import type { Model } from '../../models/model.types.js';
import type { Flow } from '../../upstreams/client/upstream.types.js';
import type { Answer, UsageSoFar } from '../../upstreams/contract/chat.types.js';

/** The data that a reply needs in addition to the chunks of its answer. */
export interface ReplyHead {
  /** Valid until the reply's head is sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The back-pressure control of the attempt that serves the call; null while there is none. */
  readonly flow: Flow | null;
  readonly unreadLimit: number;
}

/** An attempt in progress whose request was sent. If its caller disconnects, it is billed. */
export interface SentAttempt {
  readonly model: Model;
  readonly sentMs: number;
  readonly whenCallerLeaves: WhenCallerLeaves;
  usageSoFar(): UsageSoFar | undefined;
}

export interface RoutedAnswer extends ReplyHead {
  /** The attempts that were started so far. */
  readonly attempts: readonly AttemptRecord[];
  /** The serving model and attempt; while there is no answer, the latest attempt. */
  readonly served: { readonly model: Model; readonly attempt: AttemptRecord | null; readonly isAnswered: boolean };
  /** Subscribe once to send the first request. Errors are `GatewayError`s. Unsubscribing aborts all attempts. */
  readonly answer: Observable<Answer>;
  /** The serving attempt, or the latest one; null if none was sent. */
  readonly sent: SentAttempt | null;
  /** The attempt that was answering when the call's total timeout expired. The part that arrived is charged. */
  readonly overrun: SentAttempt | null;
  /** Call it when the caller has disconnected: lets the serving attempt finish, and starts no others. */
  stopTrying(): void;
  limitOutput(tokens: number): void;
}

export function attemptHeaders(attempts: number): Record<string, string> {
  return { 'x-gateway-attempts': String(attempts) };
}
