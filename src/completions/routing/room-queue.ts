import type { GatewayError } from '../../common/gateway.error.js';
import type { Model } from '../../models/model.types.js';
import type { WaitOutcome } from '../../upstreams/capacity/capacity.types.js';
import type { Candidate } from './candidate.js';
import type { Candidates } from './candidates.js';
import { fullTargetsError } from './full-targets.error.js';
import type { RetryParts } from './retry-parts.js';
import { type RoomEvents, RoomWait } from './room-wait.js';

export class RoomQueue implements RoomEvents {
  /** The error to send if untried targets are only full. */
  refusal: GatewayError | null = null;
  private wait: RoomWait | null = null;
  private begunAt = 0;
  private waitedMs = 0;
  private unreportedMs = 0;
  private isSpent = false;

  constructor(
    private readonly model: Model,
    private readonly candidates: Candidates,
    private readonly parts: RetryParts,
    private readonly on: RoomEvents,
  ) {}

  /** False: no untried target is full, or the call has waited long enough. */
  enter(now: number): boolean {
    const full = this.candidates.full(now);
    this.refusal = null;
    if (full.length === 0) return false;
    const left = this.isSpent ? 0 : this.parts.settings.routing.queue - this.waitedMs;
    if (left <= 0) {
      this.refusal = fullTargetsError(this.model.id, Math.min(...full.map((one) => one.roomWait(now))));
      return false;
    }
    this.begunAt = now;
    const tokens = full.some(({ room }) => room.countsTokens) ? this.candidates.tokens : 0;
    this.wait = new RoomWait(full, tokens, left, this);
    return true;
  }

  leave(): void {
    if (this.wait === null) return;
    this.wait.leave();
    this.end('left');
  }

  /** ms that the call has waited since this method was last called. */
  takeWaited(): number {
    const ms = Math.round(this.unreportedMs);
    this.unreportedMs = 0;
    return ms;
  }

  roomAvailable(candidate: Candidate): void {
    this.end('served');
    this.on.roomAvailable(candidate);
  }

  proceed(): void {
    this.isSpent = true;
    this.end('refused');
    this.on.proceed();
  }

  private end(outcome: WaitOutcome): void {
    const ms = performance.now() - this.begunAt;
    this.wait = null;
    this.waitedMs += ms;
    this.unreportedMs += ms;
    this.parts.capacity.waited(outcome);
  }
}
