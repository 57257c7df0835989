import type { Caller } from '../auth/caller.types.js';
import type { Price } from '../billing/price.js';
import type { LiveTarget } from '../upstreams/targets/target.types.js';

/** What decides which models a caller can use: the plan and, if the key has one, its list. */
export type ModelRights = Pick<Caller, 'plan' | 'models'>;

/** Why a person cannot call a model: its tier is not in the plan, or no upstream that serves it has a credential. */
export type ModelObstacle = 'plan' | 'no_credential';

/** A model of the catalog with what this gateway can do for it now. */
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
  /** Null if unknown. */
  readonly capabilities: readonly string[] | null;
  readonly inputModalities: readonly string[];
  readonly outputModalities: readonly string[];
  readonly price: Price;
  /** False: models.yaml does not state what it costs, not even that it is free. */
  readonly hasPrice: boolean;
  /** Callers can refer to files in the company's account at the provider. */
  readonly providerFiles: boolean;
  readonly usdPerMTok: {
    readonly input: number;
    readonly cachedInput: number;
    readonly output: number;
    /** Null: the usual price of providers, in proportion to the input price. */
    readonly cacheWrite5m: number | null;
    readonly cacheWrite1h: number | null;
  };
  /** By priority, which the strategy can set; empty if no upstream of the model is live. */
  readonly targets: readonly LiveTarget[];
  /** The ids of other models to try, in this order, when no target of this one can serve. */
  readonly fallback: readonly string[];
  /** After how many ms of silence a second target is called, too; null: never. */
  readonly hedgeAfter: number | 'p95' | null;
  /** The calls of a conversation go to one target. */
  readonly affinity: boolean;
  /** `cheapest` is already applied in the targets' priorities. */
  readonly strategy: 'priority' | 'fastest' | 'cheapest';
  /** Answered by the simulator, because no target is live. */
  readonly simulated: boolean;
}
