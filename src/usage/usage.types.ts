export interface UsageTotals {
  /** Includes calls in progress. */
  calls: number;
  costNanodollars: bigint;
}

/** The start and model of the first answered call. */
export interface FirstSuccess {
  at: Date;
  model: string;
}

/** A failed call or a rejected request. */
export interface RecentError {
  /** The id of the call or rejected request; null without further details. */
  id: string | null;
  at: Date;
  requestId: string;
  model: string | null;
  /** Null for accepted calls, whose answers may have started. */
  status: number | null;
  code: string;
  /** The error message of a rejected request. */
  message: string | null;
  keyId: string | null;
  userId: string | null;
}
