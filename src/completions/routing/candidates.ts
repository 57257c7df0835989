import type { Settings } from '../../config/settings.js';
import type { Clocks, UpstreamSettings } from '../../config/upstreams.settings.js';
import { choicesOf } from '../../limits/worst-case.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import type { Servable } from '../admission/servable-targets.service.js';
import type { CompletionCall } from '../completion.call.js';
import { Affinity, shareOf } from './affinity.js';
import { Candidate } from './candidate.js';
import { orderFastestFirst } from './fastest.js';
import { declaredRefusals } from './refused-parameters.js';
import type { RetryParts } from './retry-parts.js';
import type { RouteTerms } from './routed-answer.js';

const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5000;
/** In tokens, if the caller sets no limit; most models could write a hundred times as many. */
const USUAL_ANSWER = 1000;

/** The targets of a call: the targets of its model, then of each fallback model. */
export class Candidates {
  private readonly own: readonly Candidate[];
  /** `performance.now()` at the first attempt. */
  begunAt = 0;
  private counted: number | undefined;
  private readonly fallbackModels: readonly Model[];
  private fallbacks: readonly (readonly Candidate[])[] | null = null;
  private readonly affinity: Affinity;

  constructor(
    private readonly call: CompletionCall,
    { fallbacks }: Pick<RouteTerms, 'fallbacks'>,
    private readonly parts: RetryParts,
    private readonly policy: Settings['retry'],
  ) {
    this.affinity = new Affinity(call, parts.moved);
    this.fallbackModels = fallbacks === null ? call.fallbacks : call.fallbacks.filter((one) => fallbacks.includes(one));
    this.own = this.toCandidates(call.model, call.servable);
  }

  /**
   * The next untried target that is not set aside and has room. The model's own targets come before its fallbacks', and
   * targets that are nearly out of quota come last.
   */
  untried(now: number): Candidate | null {
    const isOpen = (one: Candidate) => this.isUntried(one, now) && one.isFree(now) && one.hasRoom(now);
    return this.first((one) => !one.room.isScarce(now) && isOpen(one)) ?? this.first(isOpen);
  }

  untriedAside(now: number): Candidate | null {
    return this.first((one) => this.isUntried(one, now) && one.hasRoom(now));
  }

  full(now: number): Candidate[] {
    return this.all().filter((one) => this.isUntried(one, now) && one.isFree(now) && !one.hasRoom(now));
  }

  /** For hedging: another untried target of the model itself, not just another key. */
  second(first: Candidate, now: number): Candidate | null {
    return choose(
      this.own,
      (one) => this.isUntried(one, now) && one.isFree(now) && !one.isOtherKeyOf(first) && one.hasRoom(now),
      this.affinity,
    );
  }

  /** After a failure not caused by its key, the upstream's other keys are not tried immediately. */
  failed(candidate: Candidate, error: UpstreamError, now: number): void {
    candidate.failed(error, now);
    if (candidate.target.keyName === null || this.parts.health.isOfKey(error.failure)) return;
    for (const other of this.all()) {
      if (other.isOtherKeyOf(candidate)) other.failedByOtherKey = true;
    }
  }

  /** The target that can be retried first, and the wait in ms. Skips targets that keep failing. */
  again(now: number): { candidate: Candidate; wait: number } | null {
    let soonest: { candidate: Candidate; wait: number } | null = null;
    const part = 0.5 + Math.random() / 2;
    for (const candidate of this.all()) {
      const { isOut, failure, failedAt, state, target } = candidate;
      if (isOut || !failure || state.standing(now) === 'failing') continue;
      const { retryAfterMs = 0 } = failure.failure;
      if (retryAfterMs > this.policy.maxRetryAfter) continue;
      const wait = retryAfterMs ? Math.max(failedAt + retryAfterMs - now, 0) : backoff(candidate.tries) * part;
      const room = candidate.roomWait(now);
      if (room > Math.max(wait, this.policy.maxRetryAfter)) continue;
      const later = Math.max(wait, room);
      if (now + later >= this.deadlineOf(target.upstream.clocks.total)) continue;
      if (soonest === null || later < soonest.wait) soonest = { candidate, wait: later };
    }
    return soonest;
  }

  requestOf({ request, target }: Candidate): ChatCompletionRequest {
    return this.parts.cacheKeys.added(request, target, this.affinity);
  }

  clocksOf(candidate: Candidate): Clocks {
    const { upstream } = candidate.target;
    if (this.own.length < 2) return upstream.clocks;
    const now = performance.now();
    const hasNext = this.own.some(
      (one) => one !== candidate && this.isUntried(one, now) && one.isFree(now) && one.roomWait(now) === 0,
    );
    return clocksOf(upstream, this.isStreamed, hasNext);
  }

  answered(candidate: Candidate, ms: number): void {
    if (this.call.model.hedgeAfter !== null) this.parts.hedges.began(candidate.target, ms);
    if (candidate.model.strategy === 'fastest') this.parts.times.began(candidate.target, this.isStreamed, ms);
    if (this.own.length < 2 || candidate.model !== this.call.model) return;
    const peers = this.own.filter(({ rank }) => rank === candidate.rank);
    this.affinity.servedBy(candidate, peers);
  }

  /** Those that count against `tokensPerMinute` at the start: the estimated prompt and the requested output. */
  get tokens(): number {
    this.counted ??= callTokens(this.call);
    return this.counted;
  }

  /** The `performance.now()` at which a total timeout of the call expires. */
  deadlineOf(total: number): number {
    return this.begunAt + total;
  }

  private get isStreamed(): boolean {
    return this.call.request.stream === true;
  }

  /** Random, but constant for a conversation. */
  private drawn(): number {
    const { conversation } = this.affinity;
    return conversation === null ? Math.random() : shareOf(conversation);
  }

  private all(): Candidate[] {
    return [this.own, ...(this.fallbacks ?? [])].flat();
  }

  private isUntried({ tries, isOut, failedByOtherKey, target }: Candidate, now: number): boolean {
    return tries === 0 && !isOut && !failedByOtherKey && now < this.deadlineOf(target.upstream.clocks.total);
  }

  private first(eligible: (one: Candidate) => boolean): Candidate | null {
    const own = choose(this.own, eligible, this.affinity);
    if (own !== null || this.fallbackModels.length === 0) return own;
    this.fallbacks ??= this.fallbackModels.map((model) =>
      this.toCandidates(model, this.parts.targets.ofFallback(this.call, model)),
    );
    for (const candidates of this.fallbacks) {
      const found = choose(candidates, eligible, this.affinity);
      if (found !== null) return found;
    }
    return null;
  }

  private toCandidates(model: Model, servable: readonly Servable[]): Candidate[] {
    const { health, capacity } = this.parts;
    const tokens = () => this.tokens;
    const candidates = servable.flatMap((one) => {
      const { target } = one;
      if (target === null) return [];
      const known = this.knownRefusals(one, target);
      return [new Candidate(model, target, health.stateOf(target), capacity.of(target), tokens, one, known)];
    });
    if (model.strategy === 'fastest') orderFastestFirst(candidates, this.parts.times, this.isStreamed, this.drawn());
    return candidates;
  }

  private knownRefusals({ request, native }: Servable, target: LiveTarget) {
    const { refused, learned } = this.parts;
    const declared = declaredRefusals(target.traits, request);
    if (!this.policy.retryWithoutRefusedParameters) return { fields: declared };
    return { fields: [...declared, ...refused.knownFor(target, request, native)], traits: learned.knownFor(target) };
  }
}

function callTokens({ request, estimatedInputTokens, model: { maxOutputTokens } }: CompletionCall): number {
  const requested = request.max_completion_tokens ?? request.max_tokens ?? USUAL_ANSWER;
  return estimatedInputTokens + choicesOf(request) * Math.min(requested, maxOutputTokens ?? requested);
}

/** Doubles from 200 ms up to 5 s. The caller adds jitter of up to half, so that retries do not synchronize. */
function backoff(tries: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (tries - 1), MAX_BACKOFF_MS);
}

/**
 * Chooses among the eligible candidates of the lowest rank: the conversation's target, else the less busy of two that
 * are picked at random by weight. Null: none is eligible.
 */
function choose(
  candidates: readonly Candidate[],
  eligible: (one: Candidate) => boolean,
  affinity: Affinity,
): Candidate | null {
  let first: Candidate | null = null;
  let equals: Candidate[] | null = null;
  for (const candidate of candidates) {
    if (!eligible(candidate)) continue;
    if (first === null || candidate.rank < first.rank) {
      first = candidate;
      equals = null;
    } else if (candidate.rank === first.rank) {
      equals ??= [first];
      equals.push(candidate);
    }
  }
  if (equals === null) return first;
  return affinity.among(equals) ?? lessBusy(byWeight(equals), byWeight(equals));
}

function lessBusy(one: Candidate | null, other: Candidate | null): Candidate | null {
  return one && other && other.load < one.load ? other : one;
}

function byWeight(candidates: readonly Candidate[]): Candidate | null {
  const sum = candidates.reduce((total, { target }) => total + target.weight, 0);
  let left = Math.random() * sum;
  for (const candidate of candidates) {
    left -= candidate.target.weight;
    if (left < 0) return candidate;
  }
  return candidates.at(-1) ?? null;
}

/**
 * The timeouts of an attempt. A stream that has not started is abandoned earlier while another target is untried.
 * Answers without a stream are not, as they only arrive once they are complete.
 */
export function clocksOf(
  { clocks, nextTargetAfter }: Pick<UpstreamSettings, 'clocks' | 'nextTargetAfter'>,
  isStreamed: boolean,
  hasNext: boolean,
): Clocks {
  if (nextTargetAfter === null || !isStreamed || !hasNext) return clocks;
  return { ...clocks, firstEvent: Math.min(clocks.firstEvent, nextTargetAfter) };
}
