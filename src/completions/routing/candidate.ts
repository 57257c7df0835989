import type { Model } from '../../models/model.types.js';
import { withoutFields } from '../../upstreams/attempt/ignored-parameters.js';
import type { CapacityLease, TargetRoom } from '../../upstreams/capacity/capacity.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { NativeBody, ReducedBody } from '../../upstreams/contract/native.body.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { TargetState } from '../../upstreams/health/target-health.types.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import type { Servable } from '../call/servable-targets.service.js';
import type { RefusedField, SamplingField } from './refused-parameters.js';

/** Ranks targets for which fields must be left out after all others. */
const INCOMPLETE_PENALTY = 1_000_000;

/** The maximum number of paths in the response header. */
const MAX_NAMED = 20;

const NONE: ReadonlySet<SamplingField> = new Set();

export class Candidate {
  tries = 0;
  /** The position among the targets of one model; the lowest is tried first. */
  position: number;
  failure: UpstreamError | null = null;
  failedAt = 0;
  /** Whether it is not tried again in this call. */
  isOut = false;
  /** Whether the same upstream failed with another key, for a reason other than the key. */
  failedByOtherKey = false;
  /** Sampling fields that the target may have refused; remembered once an answer without them confirms it. */
  readonly suspected: RefusedField[] = [];
  /** The client's own request, for a native target. */
  native: NativeBody | null;
  private refused: ReadonlySet<SamplingField>;
  /** Paths in a native request that the target refused. */
  private readonly refusedPaths: string[] = [];

  constructor(
    readonly model: Model,
    readonly target: LiveTarget,
    readonly state: TargetState,
    readonly room: TargetRoom,
    private readonly tokens: () => number,
    private readonly servable: Servable,
    known: readonly SamplingField[],
  ) {
    this.position = target.priority;
    this.native = servable.native;
    this.refused = known.length > 0 ? new Set(known) : NONE;
  }

  /** The lowest is tried first. */
  get rank(): number {
    return this.servable.ignored.length > 0 ? this.position + INCOMPLETE_PENALTY : this.position;
  }

  /** Calls in progress in proportion to the target's weight. */
  get load(): number {
    return this.state.underWay / this.target.weight;
  }

  get request(): ChatCompletionRequest {
    return withoutFields(this.servable.request, this.refused);
  }

  get leftOut(): string[] {
    return [...this.servable.ignored, ...this.refused, ...this.refusedPaths.slice(0, MAX_NAMED)];
  }

  isFree(now: number): boolean {
    const standing = this.state.standing(now);
    return standing === 'free' || standing === 'probe';
  }

  /** Whether the provider's known limits admit the call now, ahead of waiting calls. */
  hasRoom(now: number): boolean {
    return this.room.canStart(this.takes, now);
  }

  /** ms until there is room; infinite when another call must end first. */
  roomWait(now: number): number {
    return this.room.wait(this.takes, now);
  }

  takeRoom(now: number): CapacityLease | null {
    return this.room.take(this.takes, now);
  }

  private get takes(): number {
    return this.room.countsTokens ? this.tokens() : 0;
  }

  /** False: the field was already left out. */
  leaveOut(refused: RefusedField): boolean {
    if (this.refused.has(refused.field)) return false;
    this.refused = new Set([...this.refused, refused.field]);
    if (refused.isCertain) this.suspected.push(refused);
    return true;
  }

  /** Sends the native request in this form from now on. */
  reduce({ body, leftOut }: ReducedBody): void {
    this.native = body;
    this.refusedPaths.push(...leftOut);
  }

  isOtherKeyOf({ target }: Candidate): boolean {
    const { keyName, upstream, upstreamModel } = this.target;
    if (keyName === null || keyName === target.keyName) return false;
    return upstream.name === target.upstream.name && upstreamModel === target.upstreamModel;
  }

  failed(error: UpstreamError, now: number): void {
    this.failure = error;
    this.failedAt = now;
    if (error.advice !== 'retry') this.isOut = true;
  }
}
