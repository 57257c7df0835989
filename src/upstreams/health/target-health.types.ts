/** A target that is set aside, or comes back; without a model it is the whole upstream. */
export interface HealthChange {
  readonly kind: 'aside' | 'back';
  readonly upstream: string;
  /** The upstream's name of the model; null: all of them. */
  readonly model: string | null;
  /** `failing`: it failed too often; `refused`: it refuses this gateway's credential, or the account's quota is spent. */
  readonly reason: 'failing' | 'refused' | null;
  /** Null for one that comes back. */
  readonly forMs: number | null;
}

/** How a target fares now. */
export interface TargetHealth {
  readonly upstream: string;
  readonly model: string;
  readonly standing: 'free' | 'probe' | 'failing' | 'limited' | 'refused';
  /** Null: it is not set aside. */
  readonly asideForMs: number | null;
  readonly underWay: number;
}
