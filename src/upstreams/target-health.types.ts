import type { Standing } from './health/target-state.js';
import type { GatewayProcess, HealthNews } from './target.types.js';

export type { TargetState, TrackedAttempt } from './health/target-state.js';

/** A target was set aside or freed; without a model it is a whole key or upstream. */
export interface HealthChange extends Pick<HealthNews, 'upstream' | 'key' | 'model'> {
  readonly kind: 'aside' | 'back';
  /**
   * `failing`: too many failures; `refused`: the upstream refuses the credential or its quota is spent; `certificate`:
   * the gateway does not trust its certificate; `credential`: the gateway has no valid credential. Null when freed.
   */
  readonly reason: 'failing' | 'refused' | 'certificate' | 'credential' | null;
}

export interface TargetHealth {
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  readonly model: string;
  readonly standing: Standing;
  /** Null: not set aside. */
  readonly asideForMs: number | null;
  readonly underWay: number;
  /** The process that set it aside; null: this one, or it is not set aside. */
  readonly asideBy: GatewayProcess | null;
}
