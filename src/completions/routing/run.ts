import { Subscriber } from 'rxjs';
import type { AttemptRecord } from '../../ledger/rows/call-record.types.js';
import type { Attempt } from '../../upstreams/attempt/attempt.service.js';
import type { CapacityLease } from '../../upstreams/capacity/capacity.types.js';
import type { Answer, ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import type { TrackedAttempt } from '../../upstreams/health/target-health.types.js';
import type { Candidate } from './candidate.js';
import { refusedField } from './refused-parameters.js';
import type { SentAttempt } from './routed-answer.js';

export interface RunEvents {
  pass(run: Run, answer: Answer): void;
  afterFailure(run: Run, error: unknown): void;
  finish(run: Run): void;
}

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
    private readonly on: RunEvents,
  ) {
    super();
  }

  /** `unused`: the upstream did no work for the attempt. */
  leaveRoom(unused: boolean): void {
    this.room?.end(unused ? 0 : this.usedTokens);
  }

  get isSent(): boolean {
    return this.attempt.progress.sentMs !== null;
  }

  /**
   * Leaves the part that the upstream refused out of the candidate's request: a part of a native request, or a sampling
   * field. False: the upstream refused nothing that can be left out.
   */
  leaveOutRefused(failure: UpstreamFailure, request: ChatCompletionRequest): boolean {
    const reduced = this.attempt.withoutRefused(failure);
    if (reduced !== null) {
      this.candidate.reduce(reduced);
      return true;
    }
    const refused = refusedField(failure, request);
    return refused !== undefined && this.candidate.leaveOut(refused);
  }

  toSent(): SentAttempt {
    const { candidate, attempt } = this;
    return {
      model: candidate.model,
      sentMs: attempt.progress.sentMs ?? performance.now(),
      whenCallerLeaves: candidate.target.upstream.whenCallerLeaves,
      usageSoFar: () => attempt.progress.usageSoFar?.(),
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
