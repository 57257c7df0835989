export interface UsageTotals {
  /** Includes calls in progress. */
  calls: number;
  costNanodollars: bigint;
}

export interface FirstSuccess {
  at: Date;
  model: string;
}

/** One error, or several identical ones. */
export interface RecentError {
  /** The number of identical errors; all other fields are of the newest one. */
  count: number;
  /** The id of the call or refused request; null if there are no further details. */
  id: string | null;
  at: Date;
  requestId: string;
  model: string | null;
  /** Null for accepted calls, whose answers may have started. */
  status: number | null;
  code: string;
  message: string | null;
  keyId: string | null;
  userId: string | null;
}
