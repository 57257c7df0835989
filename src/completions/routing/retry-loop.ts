import { Observable, type Subscriber } from 'rxjs';
import { GatewayError, overflowInOpenAisWords } from '../../common/gateway.error.js';
import type { Settings } from '../../config/settings.js';
import type { AttemptRecord } from '../../ledger/call-record.types.js';
import type { Attempt } from '../../upstreams/attempt.service.js';
import type { Answer, ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { toContextOverflow } from '../../upstreams/contract/context-overflow.js';
import { UpstreamError, type UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import type { Flow } from '../../upstreams/contract/upstream.types.js';
import { toCallerError, withoutCredential } from '../../upstreams/upstream-access.js';
import type { CompletionCall } from '../completion.call.js';
import { beginAttempt, codeOf, endAttempt, logFailedAttempt } from './attempt-log.js';
import type { Candidate } from './candidate.js';
import { Candidates } from './candidates.js';
import type { RetryParts } from './retry-parts.js';
import { RoomQueue, type RouteEvents } from './room-queue.js';
import type { ReplyHead, RoutedAnswer, RouteTerms, SentAttempt, UnusableAttempt } from './routed-answer.js';
import { noteFailed, noteUncharged, Run, replyHeaders, UnusableAnswers } from './run.js';

/**
 * The attempts of one call, until one succeeds or a retry cannot help. First each target is tried once without waiting,
 * then again after a backoff.
 */
export class RetryLoop implements RoutedAnswer, RouteEvents<Run> {
  readonly attempts: AttemptRecord[] = [];
  readonly answer: Observable<Answer>;
  private readonly unusableAnswers = new UnusableAnswers();
  /** The settings at the start of the call. */
  private readonly policy: Settings['retry'];
  private readonly candidates: Candidates;
  private client!: Subscriber<Answer>;
  /** Whether the call has taken from the retry budget: from its first retry until it is answered or ends. */
  private retrying = false;
  private winner: Run | null = null;
  private latest: Run | null = null;
  private readonly underWay: Run[] = [];
  private over = false;
  private isAbandoned = false;
  private tries = 0;
  private readonly finalError: FinalError;
  /** Null: the call has not waited for room. */
  private queue: RoomQueue | null = null;
  private timer: NodeJS.Timeout | undefined;
  private hedge: NodeJS.Timeout | undefined;

  constructor(
    private readonly call: CompletionCall,
    private readonly terms: RouteTerms,
    private readonly parts: RetryParts,
  ) {
    this.policy = parts.settings.retry;
    this.candidates = new Candidates(call, terms, parts, this.policy);
    this.finalError = new FinalError(this.call, this.policy);
    this.answer = new Observable((client) => {
      this.begin(client);
      return () => this.leave();
    });
  }

  get headers(): ReplyHead['headers'] {
    return replyHeaders(this.call, this.attempts.length, this.latest);
  }

  get flow(): Flow | null {
    return this.latest?.attempt.flow ?? null;
  }

  get unreadLimit(): number {
    return this.latest?.candidate.target.upstream.clocks.idle ?? 0;
  }

  get served(): RoutedAnswer['served'] {
    const { latest, winner, call } = this;
    return {
      model: latest?.candidate.model ?? call.model,
      attempt: latest?.record ?? null,
      isAnswered: winner !== null,
      reported: winner?.attempt.progress ?? null,
    };
  }

  get unusable(): readonly UnusableAttempt[] {
    return this.unusableAnswers.attempts;
  }

  get sent(): SentAttempt | null {
    return this.serving?.toSent() ?? null;
  }

  /** The attempt that answers, else the latest one of the sent attempts in progress. */
  private get serving(): Run | undefined {
    return this.winner ?? this.underWay.findLast(({ isSent }) => isSent);
  }

  stopTrying(): void {
    this.isAbandoned = true;
    clearTimeout(this.timer);
    clearTimeout(this.hedge);
    this.queue?.leave();
    for (const run of this.underWay.filter((one) => one !== this.serving)) this.cancelOther(run);
  }

  private begin(client: Subscriber<Answer>): void {
    this.client = client;
    this.candidates.begunAt = performance.now();
    this.parts.budget.callBegins();
    this.proceed();
  }

  private leave(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    clearTimeout(this.hedge);
    this.queue?.leave();
    for (const run of this.underWay.splice(0)) this.abort(run, 'aborted');
    this.endRetry();
    this.parts.budget.callEnds();
  }

  /** Tries another target immediately; else retries one after a backoff; else sends the error to the client. */
  proceed(): void {
    const now = performance.now();
    if (this.attemptFirst(() => this.candidates.untried(now))) return;
    this.queue ??= new RoomQueue(this.call.model, this.candidates, this.parts, this);
    if (!this.over && this.queue.enter(now)) return;
    if (this.attemptFirst(() => this.candidates.untriedAside(now))) return;
    if (!this.retry(now)) this.giveUp();
  }

  private attemptFirst(next: () => Candidate | null): boolean {
    for (let candidate = next(); candidate !== null; candidate = next()) {
      if (this.attempt(candidate)) return true;
    }
    return false;
  }

  roomAvailable(candidate: Candidate): void {
    if (!candidate.isFree(performance.now()) || !this.attempt(candidate)) this.proceed();
  }

  private retry(now: number): boolean {
    if (this.over || this.tries >= this.policy.attempts) return false;
    const again = this.candidates.again(now);
    if (again === null || (!this.retrying && !this.parts.budget.tryRetry())) return false;
    this.retrying = true;
    this.timer = setTimeout(() => this.attemptAgain(again.candidate), again.wait);
    return true;
  }

  /** Checks the target again, as it may have been set aside meanwhile. */
  private attemptAgain(candidate: Candidate): void {
    const now = performance.now();
    if (candidate.state.standing(now) === 'failing') this.proceed();
    else if (!candidate.hasRoom(now)) this.giveUp();
    else if (!this.attempt(candidate)) this.proceed();
  }

  private attempt(candidate: Candidate): boolean {
    const attempt = this.prepared(candidate);
    if (attempt === null) return this.over;
    this.tries++;
    candidate.tries++;
    const record = beginAttempt(this.call, candidate.target, this.queue?.takeWaited());
    this.attempts.push(record);
    const now = performance.now();
    const run = new Run(candidate, attempt, candidate.state.begin(now), record, candidate.takeRoom(now), this);
    this.underWay.push(run);
    this.latest = run;
    attempt.answer.subscribe(run);
    if (this.call.model.hedgeAfter !== null && this.attempts.length === 1) this.hedgeLater(candidate);
    return true;
  }

  private hedgeLater(first: Candidate): void {
    const wait = this.parts.hedges.of(this.call.model.hedgeAfter, first.target);
    if (wait === null || this.over || this.winner !== null || this.underWay.length === 0) return;
    this.hedge = setTimeout(() => {
      const second = this.candidates.second(first, performance.now());
      if (second !== null) this.attempt(second);
    }, wait);
  }

  /** Builds the request without sending it. Null if it cannot be translated for this target. */
  private prepared(candidate: Candidate): Attempt | null {
    const { knownTarget: target, model } = candidate;
    const deadline = this.candidates.deadlineOf(target.upstream.clocks.total);
    try {
      const request = withOutputCeiling(this.candidates.requestOf(candidate), this.terms.outputCeiling);
      const clocks = this.candidates.clocksOf(candidate);
      const call = this.call.servedBy(model, this.terms.hostedCalls);
      return this.parts.attempts.prepare(call, request, target, deadline, clocks, candidate.native);
    } catch (error) {
      candidate.isOut = true;
      if (error instanceof GatewayError) this.finalError.refuse(error.inForm((path) => candidate.pathOf(path)));
      else this.client.error(error);
      return null;
    }
  }

  pass(run: Run, answer: Answer): void {
    if (this.winner === null) this.win(run);
    this.client.next(answer);
  }

  private win(run: Run): void {
    this.winner = run;
    this.latest = run;
    for (const { run: other, failure } of this.unusableAnswers.takeHedges(run)) {
      noteFailed(other, failure, this.call.request, true);
    }
    this.endRetry();
    clearTimeout(this.hedge);
    for (const other of this.underWay.filter((one) => one !== run)) this.cancelOther(other);
    this.candidates.answered(run.candidate, performance.now() - run.passage.begunAt);
    this.parts.health.answered(run.candidate.state, run.passage);
    run.rememberRefused(this.call.request, this.parts);
  }

  finish(run: Run): void {
    this.end(run, 'ok', 200, null);
    this.client.complete();
  }

  afterFailure(run: Run, error: unknown): void {
    if (this.over) return;
    if (!(error instanceof UpstreamError)) {
      this.end(run, codeOf(error), null, undefined);
      this.client.error(error);
      return;
    }
    const { candidate } = run;
    const hadBegun = this.winner === run;
    const isPaid = this.unusableAnswers.add(run, error.failure, hadBegun);
    if (!isPaid) noteFailed(run, error.failure, this.call.request, hadBegun);
    this.end(run, codeOf(error), error.failure.status, error.failure);
    logFailedAttempt(this.parts.logger, this.call, run, error);
    this.candidates.failed(candidate, error, performance.now());
    // Its target would be paid again for the same failure.
    if (isPaid) candidate.isOut = true;
    clearTimeout(this.hedge);
    if (this.winner !== null || this.isAbandoned) this.client.error(this.finalError.clientError(candidate, error));
    else if (this.underWay.length === 0 && this.repeatWithoutRefused(run, error)) return;
    else if (error.advice === 'never') this.client.error(this.finalError.clientError(candidate, error));
    else {
      this.finalError.fail(candidate, error);
      if (this.underWay.length > 0) return;
      if (this.terms.paysOnce && this.unusable.length > 0) this.giveUp();
      else this.proceed();
    }
  }

  private repeatWithoutRefused(run: Run, { failure }: UpstreamError): boolean {
    const { candidate } = run;
    if (!this.policy.retryWithoutRefusedParameters) return false;
    if (!run.leaveOutRefused(failure, this.call)) return false;
    this.tries--;
    candidate.isOut = false;
    if (!this.attempt(candidate)) this.proceed();
    return true;
  }

  private giveUp(): void {
    if (this.over) return;
    this.client.error(this.finalError.error(this.queue?.refusal ?? null));
  }

  private endRetry(): void {
    if (this.retrying) this.parts.budget.retryEnds();
    this.retrying = false;
  }

  /** Cancels an attempt that is no longer needed. If it was sent, the provider may still bill it. */
  private cancelOther(run: Run): void {
    if (run.isSent) noteUncharged(run, this.call.request);
    this.underWay.splice(this.underWay.indexOf(run), 1);
    this.abort(run, 'outrun');
  }

  private abort(run: Run, outcome: string): void {
    run.unsubscribe();
    this.close(run, outcome, null, undefined);
  }

  private end(run: Run, outcome: string, status: number | null, failure: UpstreamFailure | null | undefined): void {
    this.underWay.splice(this.underWay.indexOf(run), 1);
    this.close(run, outcome, status, failure);
  }

  private close(run: Run, outcome: string, status: number | null, failure: UpstreamFailure | null | undefined): void {
    endAttempt(this.call, run.record, outcome, status);
    const requestId = run.attempt.progress.requestId ?? failure?.requestId;
    if (requestId) run.record.requestId = withoutCredential(requestId, run.candidate.target.upstream);
    const isOfTarget = !(failure?.broken && run.isUnread);
    this.parts.health.ended(run.candidate.state, run.passage, isOfTarget ? failure : undefined);
    run.leaveRoom(!run.isSent || (failure != null && this.winner !== run));
  }
}

/** The client's error if all attempts failed: the last retryable failure, else the last failure. */
class FinalError {
  /** The adapter's error: the request cannot be translated for the target. */
  private refusal: GatewayError | null = null;
  private failed: Candidate | null = null;

  constructor(
    private readonly call: Pick<CompletionCall, 'estimatedInputTokens'>,
    private readonly policy: Settings['retry'],
  ) {}

  refuse(refusal: GatewayError): void {
    this.refusal ??= refusal;
  }

  fail(candidate: Candidate, error: UpstreamError): void {
    if (error.advice === 'retry' || this.failed?.failure?.advice !== 'retry') this.failed = candidate;
  }

  /** `full`: the error to send if untried targets were only full. */
  error(full: GatewayError | null): GatewayError | null {
    const failure = this.failed?.failure;
    if (full !== null && failure?.advice !== 'retry') return full;
    return this.failed && failure ? this.clientError(this.failed, failure) : this.refusal;
  }

  /** Includes the upstream's retry-after if that is longer than the gateway waits. */
  clientError({ target, model }: Candidate, error: UpstreamError): GatewayError {
    const isTooLongAWait = (error.failure.retryAfterMs ?? 0) > this.policy.maxRetryAfter;
    const clientError = toCallerError(error, target.upstream, !isTooLongAWait);
    const { message, code } = clientError.body;
    if (code !== 'context_length_exceeded') return clientError;
    const overflow = toContextOverflow(message, this.call.estimatedInputTokens, model.contextLength);
    return Object.assign(clientError.with({ message: overflowInOpenAisWords(overflow) }), { overflow });
  }
}

/** Limits the answer to the tokens that a budget allows, in the field that the caller used. */
function withOutputCeiling(request: ChatCompletionRequest, tokens: number | null): ChatCompletionRequest {
  if (tokens === null) return request;
  const isOlder = request.max_completion_tokens == null && request.max_tokens != null;
  return { ...request, [isOlder ? 'max_tokens' : 'max_completion_tokens']: tokens };
}
