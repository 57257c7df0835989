import type { UpstreamSettings } from '../config/upstreams.settings.js';

/** A way to serve a model: an upstream with an adapter and a credential, and the upstream's name of the model. */
export interface LiveTarget {
  readonly upstream: UpstreamSettings;
  readonly upstreamModel: string;
  readonly priority: number;
  readonly weight: number;
  /**
   * Chat completions refuse function tools for this model while it reasons: `asked`, where an effort is set; `always`,
   * also where none is.
   */
  readonly reasonsWithoutTools: 'asked' | 'always' | null;
}
