export interface GatewayProcess {
  readonly host: string;
  readonly process: number;
}

/** What a process learned about a target from its own calls; sent to the others. Durations, since clocks may differ. */
export interface HealthNews {
  /** Why it is set aside, or that it works again. */
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
