import type { AllowedUse } from '../../config/allowed-use.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { ProviderCall } from '../contract/provider.adapter.js';

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
}
