/** What a user or a key has used. */
export interface UsageTotals {
  /** Accepted calls, running ones included. */
  calls: number;
  costNanodollars: bigint;
}

/** When the first answered call began, and of which model. */
export interface FirstSuccess {
  at: Date;
  model: string;
}

/** A call that failed, or was refused before it was accepted. */
export interface RecentError {
  /** Of the call, or of the refused request; null where nothing more is known of it. */
  id: string | null;
  at: Date;
  requestId: string;
  model: string | null;
  /** The HTTP status of a refusal; null for an accepted call, whose answer may have begun already. */
  status: number | null;
  code: string;
  /** What the caller of a refused request was told. */
  message: string | null;
  keyId: string | null;
  userId: string | null;
}
