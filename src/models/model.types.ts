import type { Price } from '../billing/price.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';

/** A way to serve a model: an upstream with an adapter and a credential, and the upstream's name of the model. */
export interface LiveTarget {
  readonly upstream: UpstreamSettings;
  readonly upstreamModel: string;
  readonly priority: number;
  readonly weight: number;
}

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
  readonly price: Price;
  readonly usdPerMTok: { readonly input: number; readonly cachedInput: number; readonly output: number };
  /** By priority; empty when no upstream of the model is live. */
  readonly targets: readonly LiveTarget[];
  /** Answered by the simulator, since no target is live. */
  readonly simulated: boolean;
}
