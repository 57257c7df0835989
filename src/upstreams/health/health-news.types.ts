/** A process of a gateway. */
export interface GatewayProcess {
  readonly host: string;
  /** Its id there. */
  readonly process: number;
}

/** What a process found out about a target by its own calls, for the others. Durations, since clocks may differ. */
export interface HealthNews {
  /** Why it is set aside, or that it works again. */
  readonly kind: 'failing' | 'limited' | 'refused' | 'certificate' | 'back';
  readonly upstream: string;
  /** Null: all keys. */
  readonly key: string | null;
  /** The upstream's name of the model; null: all of them. */
  readonly model: string | null;
  /** For how long it is set aside from now on. */
  readonly forMs: number;
  /** How many times on end it was. */
  readonly times: number;
}
