import type { AllowedUse } from '../config/units.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import type { ProviderCall } from './contract/provider.adapter.js';

/**
 * An upstream with an adapter and a credential, and its name for the model. An upstream with several keys has a target
 * for each key.
 */
export interface LiveTarget {
  /** The same for an upstream, model and key, in every process and after restarts. */
  readonly id: string;
  /** The upstream with this target's key. */
  readonly upstream: UpstreamSettings;
  /** The name of the key, never the secret; null: the upstream has no named keys. */
  readonly keyName: string | null;
  readonly upstreamModel: string;
  /** The model's own limits, for each key; null: only the upstream's apply. */
  readonly allowed: AllowedUse | null;
  readonly priority: number;
  readonly weight: number;
  readonly reasonsWithoutTools: ProviderCall['reasonsWithoutTools'];
  readonly traits: ProviderCall['traits'];
}

export interface GatewayProcess {
  readonly host: string;
  readonly process: number;
}

/** A change of a target's state in this process's calls; sent to the others. Has durations, as clocks may differ. */
export interface HealthNews {
  /** Why the target is set aside; `back`: it works again. */
  readonly kind: 'failing' | 'limited' | 'refused' | 'certificate' | 'back';
  readonly upstream: string;
  /** Null: all keys. */
  readonly key: string | null;
  /** The upstream's name for the model; null: all models. */
  readonly model: string | null;
  readonly forMs: number;
  /** How many times in a row it was set aside. */
  readonly times: number;
}
