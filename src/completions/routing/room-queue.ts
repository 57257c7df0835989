import { GatewayError } from '../../common/gateway.error.js';
import type { Model } from '../../models/model.types.js';
import type { TargetRoom, WaitingCall, WaitOutcome } from '../../upstreams/capacity.service.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import type { Candidate } from './candidate.js';
import type { Candidates } from './candidates.js';
import type { RetryParts } from './retry-parts.js';

/** What happens to the attempts (`Run`) and the waits of a route. */
export interface RouteEvents<Run> {
  pass(run: Run, answer: Answer): void;
  afterFailure(run: Run, error: unknown): void;
  finish(run: Run): void;
  /** A candidate has room now. */
  roomAvailable(candidate: Candidate): void;
  /** The wait for room timed out. */
  proceed(): void;
}

/** A call's waits for room at its targets. */
export class RoomQueue implements WaitingCall {
  /** The error to send if untried targets are only full. */
  refusal: GatewayError | null = null;
  tokens = 0;
  private full: readonly Candidate[] = [];
  /** Set while the call waits. */
  private timer: NodeJS.Timeout | undefined;
  private begunAt = 0;
  private waitedMs = 0;
  private unreportedMs = 0;
  private isSpent = false;

  constructor(
    private readonly model: Model,
    private readonly candidates: Candidates,
    private readonly parts: RetryParts,
    private readonly on: Pick<RouteEvents<never>, 'roomAvailable' | 'proceed'>,
  ) {}

  /** False: no untried target is full, or the call has waited long enough. */
  enter(now: number): boolean {
    this.full = this.candidates.full(now);
    this.refusal = null;
    if (this.full.length === 0) return false;
    const left = this.isSpent ? 0 : this.parts.settings.routing.queue - this.waitedMs;
    if (left <= 0) {
      this.refusal = fullTargetsError(this.model.id, Math.min(...this.full.map((one) => one.roomWait(now))));
      return false;
    }
    this.begunAt = now;
    this.tokens = this.full.some(({ room }) => room.countsTokens) ? this.candidates.tokens : 0;
    this.timer = setTimeout(() => this.giveUp(), left);
    for (const { room } of this.full) room.enter(this);
    return true;
  }

  leave(): void {
    if (this.timer !== undefined) this.end('left');
  }

  /** ms that the call has waited since this method was last called. */
  takeWaited(): number {
    const ms = Math.round(this.unreportedMs);
    this.unreportedMs = 0;
    return ms;
  }

  roomFreed(room: TargetRoom): void {
    const candidate = this.full.find((one) => one.room === room);
    this.end('served');
    if (candidate) this.on.roomAvailable(candidate);
    else this.on.proceed();
  }

  private giveUp(): void {
    this.isSpent = true;
    this.end('refused');
    this.on.proceed();
  }

  private end(outcome: WaitOutcome): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { room } of this.full) room.leave(this);
    const ms = performance.now() - this.begunAt;
    this.waitedMs += ms;
    this.unreportedMs += ms;
    this.parts.capacity.waited(outcome);
  }
}

const UNKNOWN_MS = 1000;

/** 429: every target of a model is full. `wait`: ms until one may have room; infinite if unknown. */
function fullTargetsError(model: string, wait: number): GatewayError {
  const ms = Number.isFinite(wait) ? Math.max(1, Math.ceil(wait)) : UNKNOWN_MS;
  const seconds = Math.ceil(ms / 1000);
  const message = `The providers of the model '${model}' are at capacity. Please try again in ${seconds} s.`;
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(ms) };
  return new GatewayError(429, { message, type: 'requests', param: null, code: 'rate_limit_exceeded' }, headers);
}
