import type { Caller } from '../auth/caller.types.js';
import type { Price } from '../billing/price.js';
import type { LiveTarget } from '../upstreams/targets/target.types.js';

export type ModelRights = Pick<Caller, 'plan' | 'models'>;

/** Why a person cannot call a model: its tier is not in the plan, or none of its upstreams has a credential. */
export type ModelObstacle = 'plan' | 'no_credential';

export interface Model {
  readonly id: string;
  /** Other names that clients can call it by. */
  readonly aliases: readonly string[];
  readonly kind: 'chat' | 'embedding';
  readonly tier: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownedBy: string;
  /** Unix seconds. */
  readonly created: number;
  readonly contextLength: number;
  /** Of an embedding model: numbers in a vector, and tokens of one input. Null for chat models. */
  readonly dimensions: number | null;
  readonly maxInputTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** Null: unknown. */
  readonly capabilities: readonly string[] | null;
  readonly inputModalities: readonly string[];
  readonly outputModalities: readonly string[];
  readonly price: Price;
  /** False: models.yaml gives no price, not even zero. */
  readonly hasPrice: boolean;
  readonly providerFiles: boolean;
  readonly usdPerMTok: {
    readonly input: number;
    readonly cachedInput: number;
    readonly output: number;
    /** Null: derived from the input price. */
    readonly cacheWrite5m: number | null;
    readonly cacheWrite1h: number | null;
  };
  /** By priority, as the strategy orders them; empty when no upstream of the model is live. */
  readonly targets: readonly LiveTarget[];
  /** Ids or aliases of models to try, in order, when no target of this one can serve. */
  readonly fallback: readonly string[];
  /** Milliseconds of silence before a second target is tried as well; null: never. */
  readonly hedgeAfter: number | 'p95' | null;
  /** Whether calls of one conversation stay on one target. */
  readonly affinity: boolean;
  /** `cheapest` is already reflected in the targets' priorities. */
  readonly strategy: 'priority' | 'fastest' | 'cheapest';
  /** Answered by the simulator because no target is live. */
  readonly simulated: boolean;
}
