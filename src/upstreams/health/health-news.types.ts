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
