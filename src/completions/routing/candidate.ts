import type { Model } from '../../models/model.types.js';
import { withoutFields } from '../../upstreams/attempt/ignored-parameters.js';
import type { CapacityLease, TargetRoom } from '../../upstreams/capacity/capacity.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { TargetState } from '../../upstreams/health/target-health.types.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import type { RefusedField, SamplingField } from './refused-parameters.js';

/** A target that serves the request only without some of its fields comes behind all that serve the whole of it. */
const LESSER = 1_000_000;

const NONE: ReadonlySet<SamplingField> = new Set();

/** A target that may serve a call, and how it has fared with it so far. */
export class Candidate {
  tries = 0;
  /** Among those of its model: the lowest is asked first. */
  place: number;
  /** Its last failure; null: none yet. */
  failure: UpstreamError | null = null;
  failedAt = 0;
  /** It is not asked again, whatever else fails. */
  isOut = false;
  /** It has failed with another key, for which this one would not have helped. */
  failedByOtherKey = false;
  /** Sampling fields that it refused; those of them that are remembered as soon as an answer without them shows that they were at fault. */
  readonly suspected: RefusedField[] = [];
  private refused: ReadonlySet<SamplingField>;

  constructor(
    readonly model: Model,
    readonly target: LiveTarget,
    readonly state: TargetState,
    readonly room: TargetRoom,
    /** What the call takes of a limit of tokens. */
    private readonly tokens: () => number,
    private readonly whole: ChatCompletionRequest,
    private readonly ignored: readonly string[],
    known: readonly SamplingField[],
  ) {
    this.place = target.priority;
    this.refused = known.length > 0 ? new Set(known) : NONE;
  }

  /** The lowest is asked first. */
  get rank(): number {
    return this.ignored.length > 0 ? this.place + LESSER : this.place;
  }

  /** Calls under way in proportion to its weight. */
  get load(): number {
    return this.state.underWay / this.target.weight;
  }

  get request(): ChatCompletionRequest {
    return withoutFields(this.whole, this.refused);
  }

  /** Fields of the caller's request that it is not asked for. */
  get leftOut(): string[] {
    return [...this.ignored, ...this.refused];
  }

  isFree(now: number): boolean {
    const standing = this.state.standing(now);
    return standing === 'free' || standing === 'probe';
  }

  /** Whether its provider, by what is known, takes the call now, before others that wait for it. */
  hasRoom(now: number): boolean {
    return this.room.ask(this.takes, now);
  }

  /** How many ms until it has room; infinite where another call must end first. */
  roomWait(now: number): number {
    return this.room.wait(this.takes, now);
  }

  takeRoom(now: number): CapacityLease | null {
    return this.room.take(this.takes, now);
  }

  private get takes(): number {
    return this.room.countsTokens ? this.tokens() : 0;
  }

  /** False: the field was left out already. */
  leaveOut(refused: RefusedField): boolean {
    if (this.refused.has(refused.field)) return false;
    this.refused = new Set([...this.refused, refused.field]);
    if (refused.isCertain) this.suspected.push(refused);
    return true;
  }

  /** The same model of the same upstream, with another key. */
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
