import type { Caller } from '../auth/caller.types.js';
import type { Price } from '../billing/price.js';
import type { ModelSettings } from '../config/models.settings.js';
import type { LiveTarget } from '../upstreams/target.types.js';

export type ModelRights = Pick<Caller, 'plan' | 'models'>;

/** Why a person cannot call a model: its tier is not in the plan, or none of its upstreams has a credential. */
export type ModelObstacle = 'plan' | 'no_credential';

/** A model's settings as in models.yaml. `created` is in Unix seconds; `capabilities` is null if unknown. */
type ModelAsListed = Readonly<Omit<ModelSettings, 'affinity' | 'hedge' | 'ownedBy' | 'prices' | 'targets'>>;

/** US dollars per million tokens. */
export interface ListedPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
  /** Those that are stated, by lifetime; the others follow from the input price. */
  readonly cacheWrites: Readonly<Record<string, number>>;
}

export interface Model extends ModelAsListed {
  readonly ownedBy: string;
  readonly inputModalities: readonly string[];
  readonly outputModalities: readonly string[];
  readonly price: Price;
  /** The same in US dollars, with the steps for long prompts. */
  readonly usdPerMTok: ListedPrices & { readonly above: readonly (ListedPrices & { readonly inputTokens: number })[] };
  /** When the price ends (ms since 1970); null: no end is known. */
  readonly priceUntil: number | null;
  /** Headers of answers that announce the model's end (RFC 9745, RFC 8594); null: none is known. */
  readonly endHeaders: Readonly<Record<string, string>> | null;
  /** By priority, as the strategy orders them; empty when no upstream of the model is live. */
  readonly targets: readonly LiveTarget[];
  /** Milliseconds of silence before a second target is tried as well; null: never. */
  readonly hedgeAfter: number | 'p95' | null;
  /** Whether calls of one conversation stay on one target. */
  readonly affinity: boolean;
  /** Answered by the simulator because no target is live. */
  readonly simulated: boolean;
}
