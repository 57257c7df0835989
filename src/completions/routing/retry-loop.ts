import type { Logger } from '@nestjs/common';
import type { Subscriber, Subscription } from 'rxjs';
import type { AttemptRecord } from '../../billing/usage.types.js';
import { GatewayError } from '../../common/gateway.error.js';
import type { Settings } from '../../config/settings.js';
import type { LiveTarget } from '../../models/model.types.js';
import type { Answer, CompletionCall } from '../completion.call.js';
import { UpstreamError } from '../upstream/upstream.error.js';
import { beginAttempt, endAttempt } from './attempt.record.js';
import type { AttemptService } from './attempt.service.js';
import { tellIgnored, withoutFields } from './ignored-parameters.js';
import { loggedMessage } from './logged-message.js';
import { type RefusedParameters, refusedField, type SamplingField } from './refused-parameters.js';
import type { RetryBudget } from './retry-budget.js';
import { toldUpstreamError } from './told-upstream.error.js';

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
export class RetryLoop {
  private readonly deadline: number;
  /** Sampling fields that the target refused; they are left out. */
  private readonly ignored: Set<SamplingField>;
  private attempts = 0;
  /** The call has its share of the retry budget, from its first retry until it is answered or over. */
  private retrying = false;
  /** Something of the answer went to the client: no way back. */
  private answered = false;
  private over = false;
  private current: { record: AttemptRecord; subscription: Subscription | undefined } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly call: CompletionCall,
    private readonly target: LiveTarget,
    private readonly client: Subscriber<Answer>,
    private readonly parts: RetryParts,
  ) {
    this.deadline = performance.now() + target.upstream.clocks.total;
    const { policy, refused } = parts;
    this.ignored = new Set(policy.retryWithoutRefusedParameters ? refused.knownFor(target, call.request) : []);
  }

  begin(): void {
    this.parts.budget.callBegins();
    this.attempt();
  }

  /** The call is over, or its client has left: whatever is under way ends. */
  leave(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.current?.subscription?.unsubscribe();
    this.endAttempt('aborted', null);
    this.endRetry();
    this.parts.budget.callEnds();
  }

  private attempt(): void {
    const { call, target, ignored } = this;
    this.attempts++;
    tellIgnored(call, [...call.ignoredFields, ...ignored]);
    const current = { record: beginAttempt(call, target), subscription: undefined as Subscription | undefined };
    this.current = current;
    try {
      current.subscription = this.parts.attempts
        .run(call, withoutFields(call.request, ignored), target, this.deadline)
        .subscribe({
          next: (answer) => this.pass(answer),
          error: (error) => this.afterFailure(error),
          complete: () => this.finish(),
        });
    } catch (error) {
      this.afterFailure(error);
    }
  }

  private pass(answer: Answer): void {
    if (!this.answered) {
      this.answered = true;
      this.endRetry();
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
    this.client.error(toldUpstreamError(error, this.target.upstream));
  }

  /** A sampling field that the model refuses by name is left out, and that is remembered. */
  private repeatWithoutRefusedField({ failure }: UpstreamError): boolean {
    const { policy, refused } = this.parts;
    if (!policy.retryWithoutRefusedParameters) return false;
    const field = refusedField(failure, this.call.request);
    if (!field || this.ignored.has(field)) return false;
    refused.remember(this.target, this.call.request, field, failure.message);
    this.ignored.add(field);
    this.attempts--;
    this.attempt();
    return true;
  }

  private retry({ advice, failure }: UpstreamError): boolean {
    const { policy, budget } = this.parts;
    if (advice !== 'retry' || this.attempts >= policy.attempts) return false;
    const { retryAfterMs } = failure;
    const wait = retryAfterMs ?? backoff(this.attempts);
    if ((retryAfterMs ?? 0) > policy.maxRetryAfter || performance.now() + wait >= this.deadline) return false;
    if (!this.retrying && !budget.tryRetry()) return false;
    this.retrying = true;
    this.timer = setTimeout(() => this.attempt(), wait);
    return true;
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
      clientRequestId: this.call.context.clientRequestId,
      upstream: this.target.upstream.name,
      upstreamStatus: failure.status,
      upstreamRequestId: failure.requestId,
      upstreamMessage: loggedMessage(failure.message, this.call.request.messages),
      code: body.code,
      cause: error.cause instanceof Error ? error.cause.message : undefined,
    });
  }
}

/** Doubles from 200 ms on, up to 5 s, less up to a half at random so that many callers do not come back at once. */
function backoff(attempts: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
  return full * (0.5 + Math.random() / 2);
}

function codeOf(error: unknown): string {
  return (error instanceof GatewayError && error.body.code) || 'internal_error';
}
