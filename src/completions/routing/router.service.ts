import { Injectable, Logger } from '@nestjs/common';
import { catchError, defer, finalize, type Observable, switchMap, tap, throwError, timer } from 'rxjs';
import { GatewayError } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { LiveTarget } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../chat.types.js';
import type { Answer, CompletionCall } from '../completion.call.js';
import { SimulatorService } from '../providers/simulator/simulator.service.js';
import { UpstreamError } from '../upstream/upstream.error.js';
import { AttemptService } from './attempt.service.js';
import { RefusedParameters, refusedField, type SamplingField } from './refused-parameters.js';
import { RetryBudget } from './retry-budget.js';
import { toldUpstreamError } from './told-upstream.error.js';

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5000;

/** Where a call stands in the retry loop. */
interface Route {
  readonly call: CompletionCall;
  readonly target: LiveTarget;
  readonly deadline: number;
  /** Sampling fields that the target refused; they are left out. */
  readonly ignored: Set<SamplingField>;
  attempts: number;
  /** The call has its share of the retry budget, from its first retry until it is answered or over. */
  retrying: boolean;
  /** Something of the answer went to the client: no way back. */
  answered: boolean;
}

/**
 * The one retry loop of the gateway. A model's first target serves the call; more targets, a breaker and fallback have
 * their place here, where the next attempt is chosen.
 */
@Injectable()
export class RouterService {
  private readonly logger = new Logger('Router');

  constructor(
    private readonly attempts: AttemptService,
    private readonly simulator: SimulatorService,
    private readonly budget: RetryBudget,
    private readonly refused: RefusedParameters,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** The answer to a call. Fails with a `GatewayError`; unsubscribing aborts whatever is under way. */
  route(call: CompletionCall): Observable<Answer> {
    const [target] = call.model.targets;
    tellIgnored(call, []);
    if (!target) return this.simulator.answer(call);
    call.unreadLimit = target.upstream.clocks.idle;
    const deadline = performance.now() + target.upstream.clocks.total;
    const ignored = new Set(this.ignoredFrom(call, target));
    const route: Route = { call, target, deadline, ignored, attempts: 0, retrying: false, answered: false };
    this.budget.callBegins();
    return this.attempt(route).pipe(
      finalize(() => {
        this.endRetry(route);
        this.budget.callEnds();
      }),
    );
  }

  private ignoredFrom({ request }: CompletionCall, target: LiveTarget): SamplingField[] {
    return this.settings.retry.retryWithoutRefusedParameters ? this.refused.knownFor(target, request) : [];
  }

  private attempt(route: Route): Observable<Answer> {
    return defer(() => {
      const { call, target, deadline, ignored } = route;
      route.attempts++;
      const record = beginAttempt(call, target);
      tellIgnored(call, ignored);
      return this.attempts.run(call, withoutFields(call.request, ignored), target, deadline).pipe(
        tap({
          next: () => {
            if (route.answered) return;
            route.answered = true;
            this.endRetry(route);
          },
          complete: () => endAttempt(call, record, 'ok', 200),
          unsubscribe: () => endAttempt(call, record, 'aborted', null),
        }),
        catchError((error: unknown) => {
          endAttempt(call, record, codeOf(error), error instanceof UpstreamError ? error.failure.status : null);
          return this.afterFailure(route, error);
        }),
      );
    });
  }

  private afterFailure(route: Route, error: unknown): Observable<Answer> {
    if (!(error instanceof UpstreamError)) return throwError(() => error);
    const { call, target } = route;
    this.logger.warn('An upstream attempt failed.', {
      requestId: call.requestId,
      upstream: target.upstream.name,
      upstreamStatus: error.failure.status,
      code: error.body.code,
      cause: error.cause instanceof Error ? error.cause.message : undefined,
    });
    if (!route.answered) {
      const next = this.withoutRefusedField(route, error) ?? this.retry(route, error);
      if (next) return next;
    }
    return throwError(() => toldUpstreamError(error, target.upstream));
  }

  /** A sampling field that the model refuses by name is left out, and that is remembered. */
  private withoutRefusedField(route: Route, { failure }: UpstreamError): Observable<Answer> | undefined {
    if (!this.settings.retry.retryWithoutRefusedParameters) return undefined;
    const { request } = route.call;
    const field = refusedField(failure, request);
    if (!field || route.ignored.has(field)) return undefined;
    this.refused.remember(route.target, request, field);
    route.ignored.add(field);
    route.attempts--;
    return this.attempt(route);
  }

  private retry(route: Route, { advice, failure }: UpstreamError): Observable<Answer> | undefined {
    const { attempts, maxRetryAfter } = this.settings.retry;
    if (advice !== 'retry' || route.attempts >= attempts) return undefined;
    const { retryAfterMs } = failure;
    const wait = retryAfterMs ?? backoff(route.attempts);
    if ((retryAfterMs ?? 0) > maxRetryAfter || performance.now() + wait >= route.deadline) return undefined;
    if (!route.retrying && !this.budget.tryRetry()) return undefined;
    route.retrying = true;
    return timer(wait).pipe(switchMap(() => this.attempt(route)));
  }

  private endRetry(route: Route): void {
    if (route.retrying) this.budget.retryEnds();
    route.retrying = false;
  }
}

function tellIgnored(call: CompletionCall, refused: Iterable<string>): void {
  const fields = [...call.ignoredFields, ...refused];
  if (fields.length > 0) call.replyHeaders['x-gateway-ignored-parameters'] = fields.join(', ');
}

function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<SamplingField>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}

/** Doubles from 200 ms on, up to 5 s, less up to a half at random so that many callers do not come back at once. */
function backoff(attempts: number): number {
  const full = Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
  return full * (0.5 + Math.random() / 2);
}

function beginAttempt({ attempts, startedMs }: CompletionCall, { upstream, upstreamModel }: LiveTarget): number {
  const startMs = Math.round(performance.now() - startedMs);
  return attempts.push({ upstream: upstream.name, upstreamModel, startMs, ms: 0, outcome: 'open', status: null }) - 1;
}

function endAttempt({ attempts, startedMs }: CompletionCall, index: number, outcome: string, status: number | null) {
  const record = attempts[index];
  if (record?.outcome !== 'open') return;
  record.ms = Math.round(performance.now() - startedMs) - record.startMs;
  record.outcome = outcome;
  record.status = status;
}

function codeOf(error: unknown): string {
  return (error instanceof GatewayError && error.body.code) || 'internal_error';
}
