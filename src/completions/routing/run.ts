import { Subscriber } from 'rxjs';
import { costOf, type PricedTokens } from '../../billing/price.js';
import type { AttemptRecord } from '../../ledger/call-record.types.js';
import type { Attempt } from '../../upstreams/attempt.service.js';
import type { CapacityLease } from '../../upstreams/capacity.service.js';
import type { Answer, ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import { ignoredHeaders } from '../../upstreams/refused-fields.js';
import type { TrackedAttempt } from '../../upstreams/target-health.service.js';
import { roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { CompletionCall } from '../completion.call.js';
import type { Candidate } from './candidate.js';
import { refusedField, refusedTrait } from './refused-parameters.js';
import type { RetryParts } from './retry-parts.js';
import type { RouteEvents } from './room-queue.js';
import { attemptHeaders, type SentAttempt, type UnusableAttempt } from './routed-answer.js';

/** A running attempt of the retry loop: passes its answer on, and reports its end to the loop. */
export class Run extends Subscriber<Answer> {
  /** As reported by the upstream; null: not reported, or not counted. */
  private usedTokens: number | null = null;

  constructor(
    readonly candidate: Candidate,
    readonly attempt: Attempt,
    readonly passage: TrackedAttempt,
    readonly record: AttemptRecord,
    private readonly room: CapacityLease | null,
    private readonly on: RouteEvents<Run>,
  ) {
    super();
  }

  /** `unused`: the upstream did no work for the attempt. */
  leaveRoom(unused: boolean): void {
    this.room?.end(unused ? 0 : this.usedTokens);
  }

  /** Whether its upstream may have given the connection up, as nobody read from it. */
  get isUnread(): boolean {
    return this.attempt.flow.pausedMs >= MOST_PAUSED_MS;
  }

  get isSent(): boolean {
    return this.attempt.progress.sentMs !== null;
  }

  /**
   * Leaves the part that the upstream refused out of the candidate's request: a part of a native request, reasoning of
   * earlier answers, what the model does not accept, or a sampling field. False: the upstream refused nothing that can be left out.
   */
  leaveOutRefused(failure: UpstreamFailure, { request, pathOf }: CompletionCall): boolean {
    const reduced = this.attempt.withoutRefused(failure);
    if (reduced !== null) return this.candidate.reduce(reduced);
    if (failure.refusedPart === 'reasoning' || failure.refusedPart === 'items') {
      return this.candidate.leaveOutReasoning(pathOf);
    }
    const trait = refusedTrait(failure, request);
    if (trait !== undefined && this.candidate.learn(trait)) return true;
    const refused = refusedField(failure, request);
    return refused !== undefined && this.candidate.leaveOut(refused);
  }

  /** Called when the target has answered the request without what it had refused. */
  rememberRefused(request: ChatCompletionRequest, { refused, learned }: Pick<RetryParts, 'refused' | 'learned'>): void {
    const { suspected, suspectedTraits, target, lasting, received } = this.candidate;
    if (received) this.attempt.remember(lasting, received);
    for (const one of suspected) refused.remember(target, request, one, received);
    for (const { traits } of suspectedTraits) learned.remember(target, traits);
  }

  toSent(): SentAttempt {
    const { candidate, attempt } = this;
    return {
      model: candidate.model,
      sentMs: attempt.progress.sentMs ?? performance.now(),
      leftOut: [...candidate.leftOut, ...attempt.ignored],
      whenCallerLeaves: candidate.target.upstream.whenCallerLeaves,
      isNative: candidate.native !== null,
      pausedMs: () => attempt.flow.pausedMs,
      usageSoFar: () => attempt.progress.usageSoFar?.(),
      unread: () => attempt.progress.unread?.() ?? '',
      hostedCalls: () => attempt.progress.hostedCalls,
      rereadsPrompt: attempt.rereadsPrompt,
    };
  }

  protected override _next(answer: Answer): void {
    if (this.room !== null && answer.usage)
      this.usedTokens = answer.usage.prompt_tokens + answer.usage.completion_tokens;
    this.on.pass(this, answer);
  }

  protected override _error(error: unknown): void {
    this.on.afterFailure(this, error);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.on.finish(this);
    this.unsubscribe();
  }
}

/** A candidate names omitted fields as in the inner form, and omitted parts of lists by the client's path. */
const FIELD = /^\w+$/;

/** Describes the attempts so far. `latest`: the serving or last started one. */
export function replyHeaders(call: CompletionCall, attempts: number, latest: Run | null): Record<string, string> {
  const headers = attemptHeaders(attempts);
  if (latest === null) return headers;
  const { candidate, attempt } = latest;
  if (candidate.model !== call.model) headers['x-gateway-fallback-from'] = call.request.model;
  const { leftOut } = candidate;
  if (leftOut.length === 0 && attempt.ignored.length === 0) return headers;
  const ofInnerForm = call.pathOf ?? ((path: string) => path);
  const ofNative = call.native?.pathOf ?? ((path: string) => path);
  const ofCandidate = leftOut.map((path) => (FIELD.test(path) ? ofInnerForm(path) : ofNative(path)));
  const ofAttempt = candidate.native
    ? attempt.ignored.map(ofNative)
    : attempt.ignored.map((path) => ofInnerForm(candidate.pathOf(path)));
  return { ...headers, ...ignoredHeaders([...ofCandidate, ...ofAttempt]) };
}

/** Records the estimated prompt cost that the upstream may bill but the caller is not charged. */
export function noteUncharged(run: Run, request: ChatCompletionRequest): void {
  const input = roughPromptTokens(request, run.candidate.model.tokenFactor);
  note(run, { input, cached: 0, output: 0 });
}

/** The same for a failed attempt: the cost of what it reported, else of the prompt if the upstream had begun its work. */
export function noteFailed(
  run: Run,
  { usage, status }: UpstreamFailure,
  request: ChatCompletionRequest,
  hadBegun: boolean,
): void {
  if (usage) {
    const { prompt_tokens: input, prompt_tokens_details: details, completion_tokens: output } = usage;
    note(run, { input, cached: details?.cached_tokens ?? 0, output });
  } else if (run.isSent && (hadBegun || status === 504)) noteUncharged(run, request);
}

function note({ record, candidate }: Run, tokens: PricedTokens): void {
  record.estimatedCostNanodollars = Number(costOf(tokens, candidate.model.price));
}

interface UnusableAnswer {
  readonly run: Run;
  readonly failure: UpstreamFailure;
  readonly attempt: UnusableAttempt;
}

const NONE: readonly UnusableAnswer[] = [];
const NO_ATTEMPTS: readonly UnusableAttempt[] = [];

/**
 * The attempts of a call whose answers became unusable although their upstreams worked, so that the caller pays for each:
 * those with reported usage, those that a limit of the gateway ended, those that their requests made fail, and refused
 * prompts that are billed all the same.
 */
export class UnusableAnswers {
  private answers: readonly UnusableAnswer[] = NONE;

  /** `hadBegun`: part of the answer was passed on. Returns whether the answer is one of these. */
  add(run: Run, failure: UpstreamFailure, hadBegun: boolean): boolean {
    const { usage = null, isEstimated = false, limit, billsPrompt = false } = failure;
    const isRefused = billsPrompt && !hadBegun;
    const isOfRequest = isRequestsFault(failure, hadBegun);
    if (usage === null && !isRefused && !isOfRequest && !isOverLimit(run, failure, hadBegun)) return false;
    const ended = { endedMs: performance.now(), usage, isEstimated, isLate: limit === 'time', hadBegun, isRefused };
    // Nothing was written after the upstream's own error.
    const attempt = { ...run.toSent(), ...ended, ...(isOfRequest && { whenCallerLeaves: 'stop' as const }) };
    this.answers = [...this.answers, { run, failure, attempt }];
    return true;
  }

  /** Removes those that ended after the winner had begun: hedges that lost, which no caller pays. */
  takeHedges({ passage: { begunAt } }: Run): readonly UnusableAnswer[] {
    if (this.answers === NONE) return NONE;
    const { earlier = [], hedges = [] } = Object.groupBy(this.answers, ({ attempt: { endedMs } }) =>
      endedMs > begunAt ? 'hedges' : 'earlier',
    );
    this.answers = earlier;
    return hedges;
  }

  get attempts(): readonly UnusableAttempt[] {
    return this.answers === NONE ? NO_ATTEMPTS : this.answers.map(({ attempt }) => attempt);
  }
}

/** Statuses of errors that name the request as their cause. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether the model had written something before its request made the answer fail. Other failures may be tried again. */
function isRequestsFault({ status, answerRefused = false }: UpstreamFailure, hadBegun: boolean): boolean {
  const isNamed = OF_REQUEST.has(status);
  return hadBegun ? isNamed || answerRefused : isNamed && answerRefused;
}

/** Servers give a connection up that is not read. */
const MOST_PAUSED_MS = 5000;

/** An upstream that hangs for all callers costs nobody. */
function isOverLimit(
  { candidate, passage, isSent, isUnread }: Run,
  { limit, broken, incomplete }: UpstreamFailure,
  hadBegun: boolean,
): boolean {
  if (limit === 'size' || ((broken || incomplete) && isUnread)) return true;
  return limit === 'time' && isSent && (hadBegun || candidate.state.hasAnsweredSince(passage.begunAt));
}
