import type { Caller } from '../auth/caller.types.js';
import type { Price } from '../billing/price.js';
import type { LiveTarget } from '../upstreams/targets/target.types.js';

/** What decides which models somebody may call: his plan and, if a key narrows it, the key's list. */
export type ModelRights = Pick<Caller, 'plan' | 'models'>;

/** Why a person cannot call a model: its tier is not in the plan, or no upstream that serves it has a credential. */
export type ModelObstacle = 'plan' | 'no_credential';

/** A model of the catalog with what this gateway can do for it today. */
export interface Model {
  readonly id: string;
  readonly tier: string;
  readonly displayName: string;
  readonly description: string;
  readonly ownedBy: string;
  /** Unix seconds. */
  readonly created: number;
  readonly contextLength: number;
  readonly maxOutputTokens: number | null;
  /** Null: not known. */
  readonly capabilities: readonly string[] | null;
  readonly inputModalities: readonly string[];
  readonly outputModalities: readonly string[];
  readonly price: Price;
  /** False: models.yaml says nothing of what it costs, not even that it is free. */
  readonly hasPrice: boolean;
  /** Callers may refer to files in the company's account at the provider. */
  readonly providerFiles: boolean;
  readonly usdPerMTok: {
    readonly input: number;
    readonly cachedInput: number;
    readonly output: number;
    /** Null: what providers usually ask, by the input price. */
    readonly cacheWrite5m: number | null;
    readonly cacheWrite1h: number | null;
  };
  /** By priority, which the strategy may have set; empty when no upstream of the model is live. */
  readonly targets: readonly LiveTarget[];
  /** The ids of other models, in the order in which they are asked when no target of this one could serve. */
  readonly fallback: readonly string[];
  /** After how many ms of silence a second target is asked, too; null: never. */
  readonly hedgeAfter: number | 'p95' | null;
  /** The calls of a conversation stay at one target. */
  readonly affinity: boolean;
  /** `cheapest` is in the targets' priorities already. */
  readonly strategy: 'priority' | 'fastest' | 'cheapest';
  /** Answered by the simulator, since no target is live. */
  readonly simulated: boolean;
}
