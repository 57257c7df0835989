import type { Logger } from '@nestjs/common';
import { Observable, type Subscriber, type Subscription } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import type { Settings } from '../../config/settings.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { Attempt, AttemptService } from '../../upstreams/attempt/attempt.service.js';
import { ignoredHeaders, withoutFields } from '../../upstreams/attempt/ignored-parameters.js';
import { toldUpstreamError } from '../../upstreams/attempt/told-upstream.error.js';
import { withoutCredential } from '../../upstreams/attempt/without-credential.js';
import type { Flow } from '../../upstreams/client/upstream.types.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import type { AttemptRecord } from '../../usage/usage.types.js';
import type { CompletionCall } from '../completion.call.js';
import { beginAttempt, endAttempt } from './attempt.record.js';
import { loggedMessage } from './logged-message.js';
import { type RefusedField, type RefusedParameters, refusedField, type SamplingField } from './refused-parameters.js';
import type { RetryBudget } from './retry-budget.js';
import type { ReplyHead, RoutedAnswer } from './routed-answer.js';

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5000;

/** What the loop works with. */
export interface RetryParts {
  attempts: AttemptService;
  budget: RetryBudget;
  refused: RefusedParameters;
  policy: Settings['retry'];
  logger: Logger;
}

/** The one retry loop of the gateway: the attempts of one call, until one answers or no further one may help. */
export class RetryLoop implements RoutedAnswer {
  readonly attempts: AttemptRecord[] = [];
  readonly answer: Observable<Answer>;
  readonly unreadLimit: number;
  private client!: Subscriber<Answer>;
  private deadline = 0;
  /** Sampling fields that the target refused; they are left out. */
  private readonly ignored: Set<SamplingField>;
  /** Those of them that are remembered as soon as an answer without them shows that they were at fault. */
  private readonly suspected: RefusedField[] = [];
  private tries = 0;
  /** The call has its share of the retry budget, from its first retry until it is answered or over. */
  private retrying = false;
  /** Something of the answer went to the client: no way back. */
  private answered = false;
  private over = false;
  private current: { attempt: Attempt; record: AttemptRecord; subscription: Subscription | undefined } | undefined;
  private ignoredByApi: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly call: CompletionCall,
    private readonly target: LiveTarget,
    private readonly parts: RetryParts,
  ) {
    this.unreadLimit = target.upstream.clocks.idle;
    const { policy, refused } = parts;
    this.answer = new Observable((client) => {
      this.begin(client);
      return () => this.leave();
    });
    this.ignored = new Set(policy.retryWithoutRefusedParameters ? refused.knownFor(target, call.request) : []);
  }

  get headers(): ReplyHead['headers'] {
    return ignoredHeaders([...this.call.ignoredFields, ...this.ignored, ...this.ignoredByApi]);
  }

  get flow(): Flow | null {
    return this.current?.attempt.flow ?? null;
  }

  private begin(client: Subscriber<Answer>): void {
    this.client = client;
    this.deadline = performance.now() + this.target.upstream.clocks.total;
    this.parts.budget.callBegins();
    this.attempt();
  }

  /** The call is over, or its client has left: whatever is under way ends. */
  private leave(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.current?.subscription?.unsubscribe();
    this.endAttempt('aborted', null);
    this.endRetry();
    this.parts.budget.callEnds();
  }

  private attempt(): void {
    this.tries++;
    const attempt = this.prepared();
    if (attempt === null) return;
    this.ignoredByApi = attempt.ignored;
    const record = beginAttempt(this.call, this.target);
    this.attempts.push(record);
    const current = { attempt, record, subscription: undefined as Subscription | undefined };
    this.current = current;
    current.subscription = attempt.answer.subscribe({
      next: (part) => this.pass(part),
      error: (error) => this.afterFailure(error),
      complete: () => this.finish(),
    });
  }

  /** The attempt, not yet begun; null, and the client is told, where no request can be made for the upstream. */
  private prepared(): Attempt | null {
    const { call, target, ignored } = this;
    try {
      return this.parts.attempts.prepare(call, withoutFields(call.request, ignored), target, this.deadline);
    } catch (error) {
      this.client.error(error);
      return null;
    }
  }

  private pass(answer: Answer): void {
    if (!this.answered) {
      this.answered = true;
      this.endRetry();
      for (const refused of this.suspected) this.parts.refused.remember(this.target, this.call.request, refused);
    }
    this.client.next(answer);
  }

  private finish(): void {
    this.endAttempt('ok', 200);
    this.client.complete();
  }

  private afterFailure(error: unknown): void {
    if (this.over) return;
    this.endAttempt(codeOf(error), error instanceof UpstreamError ? error.failure.status : null);
    if (!(error instanceof UpstreamError)) {
      this.client.error(error);
      return;
    }
    this.log(error);
    if (!this.answered && (this.repeatWithoutRefusedField(error) || this.retry(error))) return;
    this.client.error(toldUpstreamError(error, this.target.upstream, !this.isTooLongAWait(error)));
  }

  /** A sampling field that the model refuses by name is left out. */
  private repeatWithoutRefusedField({ failure }: UpstreamError): boolean {
    if (!this.parts.policy.retryWithoutRefusedParameters) return false;
    const refused = refusedField(failure, this.call.request);
    if (!refused || this.ignored.has(refused.field)) return false;
    if (refused.isCertain) this.suspected.push(refused);
    this.ignored.add(refused.field);
    this.tries--;
    this.attempt();
    return true;
  }

  private retry(error: UpstreamError): boolean {
    const { policy, budget } = this.parts;
    if (error.advice !== 'retry' || this.tries >= policy.attempts) return false;
    const { retryAfterMs } = error.failure;
    const wait = retryAfterMs || backoff(this.tries);
    if (this.isTooLongAWait(error) || performance.now() + wait >= this.deadline) return false;
    if (!this.retrying && !budget.tryRetry()) return false;
    this.retrying = true;
    this.timer = setTimeout(() => this.attempt(), wait);
    return true;
  }

  /** The upstream asked for more patience than the gateway has; the client may have it. */
  private isTooLongAWait({ failure }: UpstreamError): boolean {
    return (failure.retryAfterMs ?? 0) > this.parts.policy.maxRetryAfter;
  }

  private endRetry(): void {
    if (this.retrying) this.parts.budget.retryEnds();
    this.retrying = false;
  }

  private endAttempt(outcome: string, status: number | null): void {
    if (this.current) endAttempt(this.call, this.current.record, outcome, status);
    this.current = undefined;
  }

  private log(error: UpstreamError): void {
    const { failure, body } = toldUpstreamError(error, this.target.upstream);
    this.parts.logger.warn('An upstream attempt failed.', {
      requestId: this.call.requestId,
      clientRequestId: this.call.clientRequestId,
      upstream: this.target.upstream.name,
      upstreamStatus: failure.status,
      upstreamRequestId: failure.requestId,
      upstreamMessage: loggedMessage(failure.message, this.call.request.messages),
      code: body.code,
      cause: causeOf(error, this.target.upstream),
    });
  }
}

/** Doubles from 200 ms on, up to 5 s, less up to a half at random so that many callers do not come back at once. */
function backoff(attempts: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
  return full * (0.5 + Math.random() / 2);
}

/** The technical reason. That of JSON which is none is left out, since it quotes what could not be read. */
function causeOf({ cause }: UpstreamError, upstream: UpstreamSettings): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return cause instanceof SyntaxError ? cause.name : withoutCredential(cause.message, upstream);
}

function codeOf(error: unknown): string {
  return (error instanceof GatewayError && error.body.code) || 'internal_error';
}
