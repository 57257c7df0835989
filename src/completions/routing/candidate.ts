import type { ModelTraits } from '../../config/models.settings.js';
import type { Model } from '../../models/model.types.js';
import type { CapacityLease, TargetRoom } from '../../upstreams/capacity.service.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { LastingRefusal, NativeBody, ReducedBody } from '../../upstreams/contract/native.body.js';
import type { UpstreamError } from '../../upstreams/contract/upstream.error.js';
import { MAX_REPEATS } from '../../upstreams/native-counts.service.js';
import { withoutParameters, withoutReasoning } from '../../upstreams/refused-fields.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import type { TargetState } from '../../upstreams/target-health.service.js';
import type { Servable } from '../admission/servable-targets.service.js';
import type { RefusedField, RefusedTrait, SamplingField } from './refused-parameters.js';

/** Ranks targets for which fields must be left out after all others. */
const INCOMPLETE_PENALTY = 1_000_000;

/** The maximum number of paths in the response header. */
const MAX_NAMED = 20;

const NONE: ReadonlySet<SamplingField> = new Set();

/** What the target is known to refuse. */
interface KnownRefusals {
  readonly fields?: readonly SamplingField[];
  readonly traits?: Partial<ModelTraits> | undefined;
}

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
  private chat: ChatCompletionRequest;
  private refused: ReadonlySet<SamplingField>;
  /** Parts of the native request that the target may always refuse; likewise. */
  readonly lasting: LastingRefusal[] = [];
  /** What the model does not accept besides what is declared; remembered once an answer confirms it. */
  private learned: Partial<ModelTraits>;
  readonly suspectedTraits: RefusedTrait[] = [];
  private reductions = 0;
  /** Paths in the client's request that the target refused. */
  private readonly refusedPaths: string[] = [];

  constructor(
    readonly model: Model,
    readonly target: LiveTarget,
    readonly state: TargetState,
    readonly room: TargetRoom,
    private readonly tokens: () => number,
    private readonly servable: Servable,
    { fields: known = [], traits = {} }: KnownRefusals = {},
  ) {
    this.position = target.priority;
    this.native = servable.native;
    this.chat = servable.request;
    this.refused = known.length > 0 ? new Set(known) : NONE;
    this.learned = traits;
  }

  /** The client's own request as it arrived. */
  get received(): NativeBody | null {
    return this.servable.native;
  }

  /** The target with what is known about its model. */
  get knownTarget(): LiveTarget {
    const { target, learned } = this;
    return Object.keys(learned).length > 0 ? { ...target, traits: { ...target.traits, ...learned } } : target;
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
    return withoutParameters(this.chat, this.refused);
  }

  get leftOut(): string[] {
    return [...this.servable.ignored, ...this.refused, ...this.refusedPaths.slice(0, MAX_NAMED)];
  }

  /** The path in the call's request of a field of this candidate's. */
  pathOf(path: string): string {
    return this.servable.pathOf?.(path) ?? path;
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

  /** Translates the request for a model with these traits from now on. False: it already was. */
  learn(refused: RefusedTrait): boolean {
    const isNews = Object.entries(refused.traits).some(([name, value]) => {
      const declared: Readonly<Record<string, unknown>> = this.target.traits;
      return !(name in this.learned) && JSON.stringify(declared[name]) !== JSON.stringify(value);
    });
    if (this.native !== null || !isNews) return false;
    this.learned = { ...this.learned, ...refused.traits };
    if (refused.isCertain) this.suspectedTraits.push(refused);
    return true;
  }

  /** Sends the native request in this form from now on. False: it was reduced too often. */
  reduce({ body, leftOut, lasting = [] }: ReducedBody): boolean {
    if (this.reductions++ === MAX_REPEATS) return false;
    this.native = body;
    this.refusedPaths.push(...leftOut);
    this.lasting.push(...lasting);
    return true;
  }

  /** Leaves the reasoning of earlier answers out of a translated request. False: it has none. */
  leaveOutReasoning(pathOf: (path: string) => string = (path) => path): boolean {
    const reduced = this.native === null ? withoutReasoning(this.chat) : null;
    if (reduced === null) return false;
    this.chat = reduced.request;
    this.refusedPaths.push(...reduced.leftOut.slice(0, MAX_NAMED).map(pathOf));
    return true;
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
