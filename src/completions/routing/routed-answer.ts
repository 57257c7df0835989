import { EMPTY, type Observable } from 'rxjs';
import type { WhenCallerLeaves } from '../../config/upstream-protocol.js';
import type { AttemptRecord } from '../../ledger/call-record.types.js';
import type { Model } from '../../models/model.types.js';
import type { Answer, CompletionUsage, UsageSoFar } from '../../upstreams/contract/chat.types.js';
import type { AnswerWatch, HostedCallLimits } from '../../upstreams/contract/provider.adapter.js';
import type { Flow } from '../../upstreams/contract/upstream.types.js';

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
  /** Absent: it runs. */
  readonly endedMs?: number;
  readonly whenCallerLeaves: WhenCallerLeaves;
  /** Whether it has the client's own request, whose tools the provider may run. */
  readonly isNative: boolean;
  /** Fields of the request that the upstream did not receive. */
  readonly leftOut: readonly string[];
  /** How long its caller has not read what had come. */
  pausedMs(): number;
  usageSoFar(): UsageSoFar | undefined;
  /** Output that no part of its answer has. */
  unread(): string;
  hostedCalls(): AnswerWatch['hostedCalls'];
  /** Whether the model reads its prompt again after each of them. */
  readonly rereadsPrompt: boolean;
  /** Whether the provider refused the prompt, which it bills. */
  readonly isRefused?: boolean;
}

/** A failed attempt that the caller pays, as its upstream did the work. */
export interface UnusableAttempt extends SentAttempt {
  readonly endedMs: number;
  /** As reported; null: estimated as for an answer that was left. */
  readonly usage: CompletionUsage | null;
  /** Whether a part of the usage was not reported. */
  readonly isEstimated: boolean;
  /** Whether a clock of the gateway ended it, so that the reported usage may lack a part of it. */
  readonly isLate: boolean;
  /** Whether part of its answer was passed on. */
  readonly hadBegun: boolean;
}

export interface ServedAttempt {
  readonly model: Model;
  readonly attempt: AttemptRecord | null;
  readonly isAnswered: boolean;
  /** The model, the service tier and the calls of the provider's tools that its answer named. */
  readonly reported: Pick<AnswerWatch, 'servedModel' | 'servedTier' | 'hostedCalls' | 'answerId'> | null;
}

export interface RoutedAnswer extends ReplyHead {
  /** The attempts that were started so far. */
  readonly attempts: readonly AttemptRecord[];
  /** The serving model and attempt; while there is no answer, the latest attempt. */
  readonly served: ServedAttempt;
  /** Subscribe once to send the first request. Errors are `GatewayError`s. Unsubscribing aborts all attempts. */
  readonly answer: Observable<Answer>;
  /** The serving attempt, or the latest one; null if none was sent. */
  readonly sent: SentAttempt | null;
  /** Those that the caller pays besides the answer. */
  readonly unusable: readonly UnusableAttempt[];
  /** Call it when the caller has disconnected: lets the serving attempt finish, and starts no others. */
  stopTrying(): void;
}

/** What the limits of the caller allow. */
export interface RouteTerms {
  /** Tokens per choice; null: as requested. */
  readonly outputCeiling: number | null;
  /** The calls of a tool that the provider runs; null: as many as the request allows. */
  readonly hostedCalls: HostedCallLimits | null;
  /** After an attempt that the caller pays, none follows: what is reserved covers one. */
  readonly paysOnce: boolean;
  /** The only models that may serve the call as fallbacks; null: all of its fallbacks. */
  readonly fallbacks: readonly Model[] | null;
}

export const NO_TERMS: RouteTerms = { outputCeiling: null, hostedCalls: null, paysOnce: false, fallbacks: null };

/** Of a call that failed before it was routed. */
export function unrouted({ model }: { readonly model: Model }): RoutedAnswer {
  return {
    headers: attemptHeaders(0),
    flow: null,
    unreadLimit: 0,
    attempts: [],
    served: { model, attempt: null, isAnswered: false, reported: null },
    answer: EMPTY,
    sent: null,
    unusable: [],
    stopTrying: () => undefined,
  };
}

export function attemptHeaders(attempts: number): Record<string, string> {
  return { 'x-gateway-attempts': String(attempts) };
}
