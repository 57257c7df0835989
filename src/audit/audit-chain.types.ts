/** Where the audit log stands: kept elsewhere, it proves later that nothing up to there has changed. */
export interface AuditHead {
  readonly entries: number;
  /** SHA-256 over the last entry and the hash before it, in hex; empty without an entry. */
  readonly hash: string;
}

/** What a check of the chain found. */
export interface AuditProof {
  readonly head: AuditHead;
  /** The first thing that does not fit; null: the log is as it was written. */
  readonly fault: string | null;
}
