import type { AllowedUse } from '../../config/allowed-use.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';

/**
 * A way to serve a model: an upstream with an adapter and a credential, and the upstream's name of the model. An
 * upstream with several keys makes one of each.
 */
export interface LiveTarget {
  /** The same for the same upstream, model and key, in every process and after every start. */
  readonly id: string;
  /** As it is called with this target's key. */
  readonly upstream: UpstreamSettings;
  /** Which of the upstream's keys it uses; null: there is one, or none. Never the secret. */
  readonly keyName: string | null;
  readonly upstreamModel: string;
  /** What its provider allows of this model, with each key; null: its upstream's limits alone hold. */
  readonly allowed: AllowedUse | null;
  readonly priority: number;
  readonly weight: number;
  /**
   * Chat completions refuse function tools for this model while it reasons: `asked`, where an effort is set; `always`,
   * also where none is.
   */
  readonly reasonsWithoutTools: 'asked' | 'always' | null;
}
